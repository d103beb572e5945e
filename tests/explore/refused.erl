%% Parts of a node that the machine does not have: a call ends as not supported. It is never a bug of
%% the program.
%%
%% expect: tcp => lost-control
%% expect: tcp_connect => lost-control
%% expect: udp => lost-control
%% expect: outside_program => lost-control
%% expect: port => lost-control
%% expect: host_name => lost-control
%% expect: message_to_init => lost-control
%% expect: inside_of_real => lost-control
%% expect: pid_of_other_node => lost-control
%% expect: traced => lost-control
%% expect: priority => lost-control
-module(refused).
-export([tcp/0, tcp_connect/0, udp/0, outside_program/0, port/0, host_name/0, message_to_init/0,
         inside_of_real/0, pid_of_other_node/0, traced/0, priority/0]).

tcp() -> {ok, _} = gen_tcp:listen(0, []).
tcp_connect() -> {ok, _} = gen_tcp:connect("localhost", 80, []).
udp() -> {ok, _} = gen_udp:open(0).
outside_program() -> "hi\n" = os:cmd("echo hi").
port() -> true = is_port(open_port({spawn, "cat"}, [])).
host_name() -> {ok, _} = inet:gethostname().
message_to_init() -> init ! hello.
inside_of_real() -> [_ | _] = erlang:system_info({allocator, ll_alloc}).
pid_of_other_node() -> a@b = node(binary_to_term(<<131, 88, 119, 3, "a@b", 1:32, 2:32, 3:32>>)).
traced() -> 1 = erlang:trace(self(), true, [call]).

%% Of OTP 28: the machine knows such messages, but a search does not yet.
priority() ->
    case list_to_integer(erlang:system_info(otp_release)) >= 28 of
        true ->
            Alias = erlang:alias([priority]),
            self() ! first,
            erlang:send(Alias, urgent, [priority]),
            receive Any -> urgent = Any end;
        false ->
            erlang:trace(self(), true, [call])
    end.
