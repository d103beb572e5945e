%% The sets of names meet, but the names need not be the same.
-module(reg_atom_sets_meet).
-export([go/2]).

go(X, Y) ->
    N = case X of 1 -> one; 2 -> two; _ -> three end,
    M = case Y of 1 -> one; 2 -> zwei; _ -> drei end,
    case whereis(N) of                          %% read: a [--all]
        undefined -> register(M, self());       %% write: a [--all]
        _ -> ok
    end.
