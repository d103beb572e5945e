%% Processes that are started, that link and that monitor do not depend on each other. Lists showed
%% their order all the same: classes with several outcomes, of which dpor saw one each.
-module(lists_of_pids).
-export([run/0]).

run() ->
    S = self(),
    Wait = fun() -> receive stop -> ok end end,
    {A, _} = spawn_monitor(fun() -> spawn(Wait), link(S), Wait() end),
    spawn(fun() -> spawn(Wait), monitor(process, A), Wait() end),
    erlang:display(processes()),
    erlang:display(process_info(S, links)),
    erlang:display(process_info(A, monitored_by)).
