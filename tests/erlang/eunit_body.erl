%% Twenty EUnit tests of all kinds, and the failing assertions, for t_tools.
-module(eunit_body).
-include_lib("eunit/include/eunit.hrl").
-export([assertion/1]).

one_test() -> ?assert(true).
two_test() -> ?assertEqual(4, 2 + 2).
three_test() -> ?assertMatch({ok, _}, {ok, 1}).
four_test() -> ?assertNot(false).
five_test() -> ?assertNotEqual(1, 2).
six_test() -> ?assertError(badarith, 1 / tlib:id(0)).
seven_test() -> ?assertExit(bye, exit(bye)).
eight_test() -> ?assertThrow({ball, _}, throw({ball, 1})).
nine_test() -> ?assertException(error, {badmatch, _}, begin {ok, _} = tlib:id(error) end).
ten_test_() -> ?_assert(true).
eleven_test_() -> [?_assertEqual(X * 2, X + X) || X <- [1, 2, 3]].
twelve_test_() -> {"titled", ?_assertMatch([_ | _], [1])}.
thirteen_test_() ->
    {setup, fun() -> ets:new(fixture, [public]) end, fun(T) -> ets:delete(T) end,
     fun(T) -> [?_assertEqual(true, ets:insert(T, {a, 1})),
         ?_assertEqual([{a, 1}], ets:lookup(T, a))] end}.
fourteen_test_() ->
    {foreach, local, fun() -> put(key, value), 5 end, fun(_) -> erase(key) end,
     [fun(X) -> ?_assertEqual(5, X) end, fun(_) -> ?_assertEqual(value, get(key)) end]}.
fifteen_test_() -> {inorder, [?_assert(true), ?_assert(true)]}.
sixteen_test_() -> {inparallel, [?_assertEqual(ok, timer:sleep(1)) || _ <- [1, 2, 3]]}.
seventeen_test_() -> {timeout, 10, ?_assert(true)}.
eighteen_test_() -> {spawn, ?_assertEqual(self(), self())}.
nineteen_test_() -> {with, 3, [fun(X) -> ?assertEqual(3, X) end]}.
twenty_test_() -> {generator, fun() -> [?_assert(lists:member(a, [a]))] end}.

assertion(1) -> ?assert(tlib:id(false));
assertion(2) -> ?assertEqual(1, tlib:id(2));
assertion(3) -> ?assertMatch({ok, _}, tlib:id(error));
assertion(4) -> ?assertNotEqual(1, tlib:id(1));
assertion(5) -> ?assertThrow(x, tlib:id(1));
assertion(6) -> ?assertNot(tlib:id(true));
assertion(7) -> ?assertNotMatch({_, _}, tlib:id({1, 2}));
assertion(8) -> ?assertEqual("text", tlib:id("other"), "a comment").
