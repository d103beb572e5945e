%% A question waits until all earlier messages to the same process have arrived (--delivery async). Whether it
%% could go before another message that came between two of these was looked up like for a semaphore, where
%% one of them would do: dpor asked for a run in which the question comes before the second one, which is
%% impossible, and lost control.
-module(asked_behind_two).
-export([run/0]).

run() ->
    S = self(),
    spawn(fun() -> S ! {a, 1}, S ! {b, 1}, process_info(S, links), S ! c end),
    spawn(fun() -> S ! x end),
    erlang:display(receive c -> [receive {T, 1} -> T end || _ <- [1, 2]] end).
