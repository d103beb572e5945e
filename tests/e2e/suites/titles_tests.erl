%% A test whose title a terminal would obey.
-module(titles_tests).
-include_lib("eunit/include/eunit.hrl").

titled_test_() -> [{"before \e[31m pass\x{202e}deliaf", ?_assert(true)}].
