%% Texts in which the real VM shows stacks and itself. Numbers of bytes and addresses differ.
-module(t_dump).
-export([waiting/0, own/0, hidden/0, displayed/0, of_system/0, in_list/0, of_match_spec/0, gone/0,
         shown/0, tried/0]).
-export([level/2, traced/1]).
-include("t.hrl").

plain(Text) ->
    lists:foldl(fun({Pattern, By}, T) -> re:replace(T, Pattern, By, [global, {return, list}]) end,
                Text, [{"0x[0-9a-f]+", "0x"}, {" \\+ [0-9]+\\)", ")"}]).

backtrace(Pid) ->
    {backtrace, Text} = process_info(Pid, backtrace),
    string:split(plain(Text), "\n", all).

level(0, State) ->
    try receive stop -> State end of Result -> [Result, State] catch _:_ -> State end;
level(N, State) ->
    Result = level(N - 1, [N | State]),
    {Result, State, N}.

waiting() ->
    Pid = spawn(?MODULE, level, [2, [a, <<"bytes">>, "text", 1.5, 1 bsl 70, {x, #{a => b}}]]),
    receive after 10 -> ok end,
    Lines = backtrace(Pid),
    exit(Pid, kill),
    Lines.

own() ->
    [_ | Lines] = lists:takewhile(fun(Line) -> string:find(Line, "reference") =:= nomatch end, own(2)),
    lists:sublist([Line || Line <- Lines, string:find(Line, "t_dump:") =/= nomatch], 2).

own(0) -> tlib:id(backtrace(self()));
own(N) -> tlib:id(own(N - 1)).

hidden() ->
    Pid = spawn(fun() -> process_flag(sensitive, true), level(0, x) end),
    receive after 10 -> ok end,
    Shown = process_info(Pid, backtrace),
    exit(Pid, kill),
    Shown.

in_list() ->
    [{backtrace, A}, {status, running}, {backtrace, B}] =
        process_info(self(), [backtrace, status, backtrace]),
    {is_binary(A), is_binary(B), lists:keymember(backtrace, 1, process_info(self()))}.

gone() ->
    {Pid, Ref} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Ref, _, _, _} -> ok end,
    {process_info(Pid, backtrace), ?TRY(erlang:process_display(Pid, backtrace))}.

displayed() ->
    [?TRY(erlang:process_display(Pid, What)) || {Pid, What} <- [{self(), x}, {x, backtrace}, {x, y}]].

of_system() ->
    Texts = [erlang:system_info(Item) || Item <- [info, procs, loaded, dist]],
    Pid = "=proc:" ++ pid_to_list(self()),
    {[is_binary(Text) || Text <- Texts], string:find(lists:nth(2, Texts), Pid) =/= nomatch,
     string:find(lists:nth(2, Texts), "t_dump:of_system/0") =/= nomatch,
     string:find(lists:nth(3, Texts), "\nt_dump ") =/= nomatch, lists:last(Texts)}.

traced(X) -> X.

of_match_spec() ->
    Self = self(),
    Tracer = spawn_link(fun() -> receive Message -> Self ! {self(), Message} end end),
    erlang:trace(self(), true, [call, {tracer, Tracer}]),
    erlang:trace_pattern({?MODULE, traced, 1}, [{'_', [], [{message, {process_dump}}]}], []),
    ?MODULE:traced(1),
    erlang:trace_pattern({?MODULE, traced, 1}, false, []),
    erlang:trace(self(), false, [call]),
    receive {Tracer, {trace, Self, call, MFA, Dump}} ->
        {MFA, is_binary(Dump), string:prefix(Dump, "=proc:" ++ pid_to_list(Self)) =/= nomatch, string:find(Dump, "t_dump:of_match_spec/0") =/= nomatch}
    end.

shown() ->
    [erlang:display(Term)
     || Term <- [0.1, 1.0e22, -1.0e-300, [1.5 | a], <<"bytes">>, <<"a\n">>, <<"\"\\">>, <<>>, <<1:1>>,
                 <<"abc", 1:1>>, "text", {<<" ">>, #{a => 2.0}}, binary:part(<<"abcdef">>, 1, 3)]].

%% match_spec_test runs actions that change nothing.
tried() ->
    Try = fun(Action) ->
                  {ok, Message, Flags, Warnings} =
                      erlang:match_spec_test([a], [{[a], [], [{message, Action}]}], trace),
                  {Message, Flags, Warnings}
          end,
    {Dump, [], []} = Try({process_dump}),
    {[Try(Action) || Action <- [{get_seq_token}, {set_seq_token, label, 1}, {get_seq_token}, {get_tcw},
                                {set_tcw, 5}, {get_tcw}, {silent, true}, {return_trace}]],
     string:prefix(Dump, "=proc:") =/= nomatch}.
