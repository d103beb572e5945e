%% Two withdrawals read with a dirty read, then write in a transaction.
-module(accounts).
-export([test/0]).
-record(account, {id, balance}).

withdraw(Id, Sum) ->
    [#account{balance = B}] = mnesia:dirty_read(account, Id),
    case B >= Sum of
        true ->
            mnesia:transaction(fun() -> mnesia:write(#account{id = Id, balance = B - Sum}) end),
            ok;
        false -> poor
    end.

test() ->
    {atomic, ok} = mnesia:create_table(account, [{attributes, record_info(fields, account)}]),
    ok = mnesia:dirty_write(#account{id = 1, balance = 100}),
    Me = self(),
    [spawn_link(fun() -> Me ! {done, withdraw(1, 60)} end) || _ <- [1, 2]],
    Results = [receive {done, R} -> R end || _ <- [1, 2]],
    [#account{balance = Left}] = mnesia:dirty_read(account, 1),

    [ok, poor] = lists:sort(Results),
    40 = Left,
    ok.
