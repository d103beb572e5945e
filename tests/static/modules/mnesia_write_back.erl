%% A record is read, changed and written back: to the table that it was read from.
-module(mnesia_write_back).
-export([bump/1, deposit/2, by_table/2, copied/2]).
-record(counter, {key, n}).
-record(account, {id, balance}).
-record(archive, {id, balance}).

bump(Key) ->
    [R] = mnesia:dirty_read(counter, Key),      %% read: a
    mnesia:dirty_write(R#counter{n = R#counter.n + 1}). %% write: a

deposit(Id, Sum) ->
    case mnesia:dirty_read({account, Id}) of    %% read: b
        [A = #account{balance = B}] ->
            save(A#account{balance = B + Sum});
        [] ->
            mnesia:dirty_write(#account{id = Id, balance = Sum}) %% write: b
    end.

save(Record) -> mnesia:dirty_write(Record).     %% write: b

%% The table is an argument; the record says to which table it goes.
by_table(Table, Id) ->
    [A] = mnesia:dirty_read(Table, Id),         %% read: c
    New = A#account{balance = 0},
    mnesia:dirty_write(New).                    %% write: c

%% Another record, of another table.
copied(Id, Sum) ->
    [_] = mnesia:dirty_read(account, Id),
    mnesia:dirty_write(#archive{id = Id, balance = Sum}).
