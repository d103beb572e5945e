%% Parts of a node that the machine does not have: a call ends as not supported. It is never a bug of
%% the program.
%%
%% expect: socket => lost-control
%% expect: tcp_monitor => lost-control
%% expect: tcp_link => lost-control
%% expect: outside_program => lost-control
%% expect: port => lost-control
%% expect: other_host => lost-control
%% expect: message_to_init => lost-control
%% expect: inside_of_real => lost-control
%% expect: pid_of_other_node => lost-control
%% expect: traced => lost-control
%% expect: error_handler => lost-control
%% expect: priority => lost-control
%% expect: port_of_node => lost-control
%% expect: number_of_tables => lost-control
%% expect: saved_calls => lost-control
%% expect: news_of_suspending => lost-control
%% expect: purged_fun => lost-control
%% expect: purger => lost-control
-module(refused).
-export([socket/0, tcp_monitor/0, tcp_link/0, outside_program/0, port/0, other_host/0, message_to_init/0,
         inside_of_real/0, pid_of_other_node/0, traced/0, error_handler/0, priority/0,
         port_of_node/0, number_of_tables/0, saved_calls/0,
         news_of_suspending/0, purged_fun/0, purger/0]).

socket() -> {ok, _} = socket:open(inet, stream).
tcp_monitor() -> {ok, Socket} = gen_tcp:listen(0, []), monitor(port, Socket).
tcp_link() -> {ok, Socket} = gen_tcp:listen(0, []), link(Socket).
outside_program() -> "hi\n" = os:cmd("echo hi").
port() -> true = is_port(open_port({spawn, "cat"}, [])).
other_host() -> {ok, _} = inet:getaddr("erlang.org", inet).
message_to_init() -> init ! {self(), hello}.
inside_of_real() -> [_ | _] = erlang:system_info({allocator, ll_alloc}).
pid_of_other_node() -> monitor(process, binary_to_term(<<131, 88, 119, 3, "a@b", 1:32, 2:32, 3:32>>)).
traced() -> 1 = erlang:trace(self(), true, [running]).
error_handler() -> 0 = erlang:trace_pattern({error_handler, '_', '_'}, true, [local]).

port_of_node() -> true = link(hd(erlang:ports())).
number_of_tables() -> true = erlang:system_info(ets_count) > 1.
saved_calls() -> 0 = erlang:process_flag(self(), save_calls, 10).
news_of_suspending() ->
    true = erlang:suspend_process(spawn(fun() -> ok end), [{asynchronous, news}]),
    receive {news, suspended} -> ok end.

purged_fun() ->
    Fun = {'fun', 1, {clauses, [{clause, 1, [], [], [{atom, 1, ok}]}]}},
    {ok, purged, Code} = compile:forms([{attribute, 1, module, purged},
                                        {attribute, 1, export, [{f, 0}]},
                                        {function, 1, f, 0, [{clause, 1, [], [], [Fun]}]}]),
    {module, purged} = code:load_binary(purged, "purged", Code),
    F = apply(purged, f, []),
    code:delete(purged),
    code:purge(purged),
    ok = F().
purger() -> erts_code_purger ! {purge, lists, self(), make_ref()}.

%% Of OTP 28: the machine knows such messages, but a search does not yet.
priority() ->
    case list_to_integer(erlang:system_info(otp_release)) >= 28 of
        true ->
            Alias = erlang:alias([priority]),
            self() ! first,
            erlang:send(Alias, urgent, [priority]),
            receive Any -> urgent = Any end;
        false ->
            erlang:trace(self(), true, [running])
    end.
