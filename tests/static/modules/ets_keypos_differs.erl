%% The first elements are equal, but the key is the second one.
-module(ets_keypos_differs).
-export([init/0, copy/0]).

init() -> ets:new(ets_keypos_differs, [named_table, public, {keypos, 2}]).

copy() ->
    [{_, _, V}] = ets:lookup(ets_keypos_differs, from),
    ets:insert(ets_keypos_differs, {from, to, V}).
