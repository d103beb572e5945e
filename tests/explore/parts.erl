%% Parts of OTP around a program: each runs on the machine as it does on a node.
%%
%% expect: dets_table --allow-io => proved
%% expect: log_on_disk --allow-io => proved
%% expect: logger_handler => proved
%% expect: old_handler => proved
%% expect: local_rpc => proved
%% expect: mnesia_transactions --strategy dpor --max-runs 40 => no-bug-found
%% expect: mnesia_beside --setup parts:start_mnesia => proved,executions<=20000,assuming a refused transaction of Mnesia
%% expect: mnesia_beside --setup parts:start_mnesia --timeouts idle => proved,executions<=500
%% expect: mnesia_beside --setup parts:start_mnesia --timeouts any --strategy dpor --max-runs 20 => no-bug-found
%% expect: mnesia_dirty --strategy dpor => bug,abnormal-exit
-module(parts).
-behaviour(gen_event).
-export([dets_table/0, log_on_disk/0, logger_handler/0, old_handler/0, local_rpc/0,
         mnesia_transactions/0, mnesia_dirty/0, start_mnesia/0, mnesia_beside/0]).
-export([log/2, init/1, handle_event/2, handle_call/2]).

%% A name that no other run of the test uses at the same time.
file(Kind) -> "/tmp/fermata-" ++ os:getpid() ++ Kind.

%% The second time the table is read from the file.
dets_table() ->
    File = file(".dets"),
    {ok, T} = dets:open_file(table, [{file, File}]),
    ok = dets:insert(T, [{1, a}, {2, b}]),
    [{2, b}] = dets:lookup(T, 2),
    ok = dets:close(T),
    {ok, T} = dets:open_file(table, [{file, File}]),
    [{2, b}] = dets:lookup(T, 2),
    3 = dets:foldl(fun({N, _}, Sum) -> N + Sum end, 0, T),
    ok = dets:close(T),
    file:delete(File).

log_on_disk() ->
    File = file(".log"),
    {ok, L} = disk_log:open([{name, log}, {file, File}]),
    ok = disk_log:log(L, hello),
    {_, [hello]} = disk_log:chunk(L, start),
    ok = disk_log:close(L),
    file:delete(File).

logger_handler() ->
    ok = logger:set_primary_config(level, info),
    ok = logger:add_handler(mine, ?MODULE, #{config => #{to => self()}}),
    logger:error("wrong ~p", [x]),
    receive {logged, error} -> ok end,
    ok = logger:remove_handler(mine).

log(#{level := Level}, #{config := #{to := To}}) -> To ! {logged, Level}.

old_handler() ->
    ok = error_logger:add_report_handler(?MODULE, self()),
    ok = error_logger:delete_report_handler(?MODULE).

init(To) -> {ok, To}.
handle_event(_, To) -> {ok, To}.
handle_call(_, To) -> {ok, ok, To}.

local_rpc() ->
    [1, 2] = rpc:call(node(), lists, seq, [1, 2]),
    [3] = erpc:call(node(), lists, seq, [3, 3]).

%% Two processes each add one to a counter. Only in transactions none of the two is lost.
mnesia_transactions() -> count_twice(fun(Add) -> {atomic, ok} = mnesia:transaction(Add) end).
mnesia_dirty() -> count_twice(fun mnesia:async_dirty/1).

%% A transaction that does not get its lock sleeps and tries again, as often as you like: there is an end because
%% these sleeps last until nobody else can run. Starting mnesia is not explored. 402 executions with the mnesia
%% of OTP 25 and 27, 17,460 with that of OTP 29, which has other short timers.
mnesia_beside() -> add_twice(fun(Add) -> {atomic, ok} = mnesia:transaction(Add) end).

start_mnesia() ->
    {ok, _} = application:ensure_all_started(mnesia),
    {atomic, ok} = mnesia:create_table(counter, [{ram_copies, [node()]}]),
    ok = mnesia:dirty_write({counter, hits, 0}).

count_twice(How) -> start_mnesia(), add_twice(How).

add_twice(How) ->
    Add = fun() ->
              [{counter, hits, N}] = mnesia:read(counter, hits),
              mnesia:write({counter, hits, N + 1})
          end,
    Monitors = [spawn_monitor(fun() -> How(Add) end) || _ <- [1, 2]],
    [receive {'DOWN', M, _, _, Reason} -> normal = Reason end || {_, M} <- Monitors],
    [{counter, hits, 2}] = mnesia:dirty_read(counter, hits).
