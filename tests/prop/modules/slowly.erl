%% Two properties whose values take long to make: the first ends within a second or so, the second
%% does not end within many, while each of its values takes a tenth of one. Its first values are made at once.
-module(slowly).
-export([prop_first/0, prop_second/0]).

prop_first() -> proper:forall(slow(200000), fun erlang:is_integer/1).

prop_second() ->
    proper:forall(proper_types:sized(fun(Size) -> slow(if Size < 3 -> 1; true -> 30000000 end) end),
                  fun erlang:is_integer/1).

slow(Steps) -> proper_types:bind(proper_types:integer(), fun(N) -> count(N, Steps) end, false).

count(N, 0) -> N;
count(N, Left) -> count(N + 1, Left - 1).
