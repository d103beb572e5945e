-module(mnesia_other_table).
-export([copy/1]).

copy(Key) ->
    [{old, _, V}] = mnesia:dirty_read(old, Key),
    mnesia:dirty_write({new, Key, V}).
