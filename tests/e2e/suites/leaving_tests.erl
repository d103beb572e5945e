%% Tests that do not return: a failure for EUnit, whatever the reason of the exit. A process that
%% only belongs to a test may end as it likes.
-module(leaving_tests).
-include_lib("eunit/include/eunit.hrl").

normal_test() -> exit(normal).
shutdown_test() -> exit(shutdown).
reason_test() -> exit({shutdown, why}).

linked_test() ->
    spawn_link(fun() -> exit(shutdown) end),
    receive never -> ok end.

fixture_test_() ->
    {setup, fun() -> ok end, fun(_) -> fun() -> exit(shutdown) end end}.

%% The signal may come before the look into the table, or when the test has returned.
early_test() ->
    Self = self(),
    Table = ets:new(table, [public]),
    spawn(fun() -> exit(Self, shutdown) end),
    ets:lookup(Table, key).

halt_test() -> halt(0).
child_halt_test() ->
    spawn(fun() -> halt() end),
    receive never -> ok end.

trapped_fine_test() ->
    process_flag(trap_exit, true),
    spawn_link(fun() -> exit(shutdown) end),
    receive {'EXIT', _, shutdown} -> ok end.

child_fine_test() ->
    {Child, Monitor} = spawn_monitor(fun() -> exit({shutdown, why}) end),
    receive {'DOWN', Monitor, process, Child, {shutdown, why}} -> ok end.
