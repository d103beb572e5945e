-module(reg_server_call).
-export([ask/1]).

ask(Q) ->
    case whereis(oracle) of                     %% read: a
        undefined -> silence;
        _ -> gen_server:call(oracle, Q)         %% write: a
    end.
