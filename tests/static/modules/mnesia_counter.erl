%% A counter update is atomic.
-module(mnesia_counter).
-export([next/0]).

next() ->
    _ = mnesia:dirty_read(seq, id),
    mnesia:dirty_update_counter(seq, id, 1).
