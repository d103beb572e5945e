%% What is kept and changed: tables, maps, binaries.
-module(bench_data).
-export([ets/1, map/1, binary/1]).

ets(Size) ->
    Table = ets:new(bench, [set, public]),
    Sum = insert_and_look_up(Size, Table, 0),
    true = ets:delete(Table),
    Sum.

insert_and_look_up(0, _, Sum) ->
    Sum;
insert_and_look_up(Key, Table, Sum) ->
    true = ets:insert(Table, {Key, Key + 1}),
    [{_, Value}] = ets:lookup(Table, Key),
    insert_and_look_up(Key - 1, Table, Sum + Value).

map(Size) ->
    Map = maps:from_list([{Key, 0} || Key <- lists:seq(0, 1023)]),
    lists:sum(maps:values(update(Size, Map))).

update(0, Map) ->
    Map;
update(N, Map) ->
    Key = N band 1023,
    #{Key := Value} = Map,
    update(N - 1, Map#{Key := Value + 1}).

binary(Size) ->
    byte_size(append(Size, <<>>)).

append(0, Bytes) -> Bytes;
append(N, Bytes) -> append(N - 1, <<Bytes/binary, N:8>>).
