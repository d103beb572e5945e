%% A suite for several processes: tests of different lengths, of which one has a bug.
-module(suite_tests).
-include_lib("eunit/include/eunit.hrl").

long_test() ->
    fanout(4).

short_test() ->
    ok.

middle_test() ->
    fanout(3).

%% Both processes may find the key missing.
lost_update_test() ->
    Table = ets:new(t, [public]),
    Test = self(),
    [spawn(fun() ->
                   case ets:lookup(Table, x) of
                       [] -> ets:insert(Table, {x, 1});
                       [{x, N}] -> ets:insert(Table, {x, N + 1})
                   end,
                   Test ! done
           end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual([{x, 2}], ets:lookup(Table, x)).

generated_test_() ->
    [{"two", fun() -> fanout(2) end}, {"one", fun() -> fanout(1) end}].

fanout(N) ->
    Test = self(),
    [spawn(fun() -> Test ! {done, M} end) || M <- lists:seq(1, N)],
    [receive {done, _} -> ok end || _ <- lists:seq(1, N)].
