%% Plain operations in a dirty activity are dirty operations.
-module(mnesia_activity).
-export([inc/1]).

inc(Key) ->
    mnesia:async_dirty(
      fun() ->
              [{seq, _, N}] = mnesia:read(seq, Key, read),      %% read: a
              mnesia:write(seq, {seq, Key, N + 1}, write)       %% write: a
      end).
