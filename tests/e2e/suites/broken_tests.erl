%% Tests that are broken before they begin.
-module(broken_tests).
-include_lib("eunit/include/eunit.hrl").

fine_test() -> ok.

setup_test_() -> {setup, fun() -> error(no_database) end, ?_assert(true)}.

cleanup_test_() -> {setup, fun() -> ok end, fun(_) -> exit(still_open) end, ?_assert(true)}.

instance_test_() -> {setup, fun() -> ok end, fun(other) -> ?_assert(true) end}.
