%% The sets of names do not meet (section 4.3).
-module(reg_atom_sets).
-export([go/1]).

go(X) ->
    N = case X of 1 -> one; 2 -> two; _ -> three end,
    M = case X of 1 -> uno; 2 -> due; _ -> tre end,
    case whereis(N) of
        undefined -> register(M, self());
        _ -> ok
    end.
