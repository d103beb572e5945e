%% An instance of each common generator. False as soon as two of its parts are large enough.
-module(generators).
-export([prop_all/0]).
-import(proper_types, [integer/0, list/1, boolean/0, vector/2, range/2, binary/0, float/0, atom/0,
                       non_empty/1, nat/0, default/2, char/0, pos_integer/0, neg_integer/0,
                       string/0]).

prop_all() ->
    Type = {integer(), list(boolean()), vector(2, range(2, 5)), binary(), float(), atom(),
            non_empty(list(nat())), default(x, char()), pos_integer(), neg_integer(), string(),
            #{a => nat()}},
    proper:forall(Type, fun(T) -> length(element(2, T)) < 4 orelse element(9, T) < 3 end).
