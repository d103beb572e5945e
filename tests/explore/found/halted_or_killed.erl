%% The process that stops the node may be killed before. Then it does not stop the node, but the search
%% expected that it would: every such program ended as "lost control".
-module(halted_or_killed).
-export([run/0]).

run() ->
    S = self(),
    P = spawn(fun() -> halt(0) end),
    spawn(fun() -> exit(S, kill) end),
    exit(P, oops),
    erlang:display(is_process_alive(P)),
    halt(0).
