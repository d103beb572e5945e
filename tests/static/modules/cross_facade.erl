%% Reads through one module, writes through another; a third creates the table.
%% with: cross_reader.erl
%% with: cross_writer.erl
-module(cross_facade).
-export([bump/1, open/0]).

open() -> ets:new(cross_table, [named_table, public]).

bump(Key) ->
    N = cross_reader:value(Key),
    cross_writer:store(Key, N + 1).
