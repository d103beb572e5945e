%% A set-up that never ends.
-module(waiting_tests).
-include_lib("eunit/include/eunit.hrl").

wait_test_() -> {setup, fun() -> receive never -> ok end end, ?_assert(true)}.
