%% Functions declared to have side effects (--side-effect, --conflicts): two calls in either order
%% are two executions, although nothing in Erlang tells them apart. With a file of conflicts:
%% tests/strategy/run.
%%
%% expect: two --strategy dpor => proved,executions=1
%% expect: two --strategy dpor --side-effect declared:touch => proved,executions=2
%% expect: four --strategy dpor --side-effect declared:touch/1 --side-effect declared:look/1 => proved,executions=24
%% expect: swapped --strategy dpor --side-effect declared:touch/1 => bug,abnormal-exit
%% expect: swapped --strategy procrastinate --max-runs 20 --side-effect declared:touch/1 => bug,abnormal-exit
-module(declared).
-export([two/0, four/0, swapped/0, touch/1, look/1]).

two() -> [spawn(fun() -> touch(N) end) || N <- [1, 2]].

four() -> two() ++ [spawn(fun() -> look(N) end) || N <- [1, 2]].

%% Believes that its own touch comes first.
swapped() ->
    Self = self(),
    spawn(fun() -> touch(2), Self ! 2 end),
    touch(1),
    Self ! 1,
    receive 1 -> ok; 2 -> error(swapped) end.

touch(N) -> N.
look(N) -> N.
