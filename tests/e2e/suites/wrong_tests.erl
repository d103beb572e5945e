%% Assertions, a crash and a process that waits: each its own kind of finding.
-module(wrong_tests).
-include_lib("eunit/include/eunit.hrl").

equal_test() -> ?assertEqual(2, one()).
match_test() -> ?assertMatch({ok, _}, one()).
crash_test() -> list_to_atom(one()).
stuck_test() -> receive never -> ok end.
exception_test() -> ?assertError(badarg, one()).
one() -> 1.
