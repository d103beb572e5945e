%% A test for another node.
-module(node_tests).
-include_lib("eunit/include/eunit.hrl").

node_test_() -> {node, other, ?_assertEqual(2, 1 + 1)}.
