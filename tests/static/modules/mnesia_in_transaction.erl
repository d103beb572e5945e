%% Dirty operations inside a transaction: sure only for those who ask for all.
-module(mnesia_in_transaction).
-export([inc/1]).

inc(Key) ->
    mnesia:transaction(
      fun() ->
              [{seq, _, N}] = mnesia:dirty_read(seq, Key),      %% read: a [--all]
              mnesia:dirty_write({seq, Key, N + 1})             %% write: a [--all]
      end).
