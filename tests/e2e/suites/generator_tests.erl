-module(generator_tests).
-include_lib("eunit/include/eunit.hrl").

bad_test_() -> throw(no_tests_today).
