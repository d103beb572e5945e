-module(door).
-behaviour(gen_statem).
-export([test/0, init/1, callback_mode/0, locked/3, open/3]).
callback_mode() -> state_functions.
init([]) -> {ok, locked, 0}.
locked(cast, {button, ok}, N) -> {next_state, open, N + 1, [{state_timeout, 100, lock}]};
locked({call, From}, count, N) -> {keep_state, N, [{reply, From, N}]}.
open(state_timeout, lock, N) -> {next_state, locked, N};
open({call, From}, count, N) -> {keep_state, N, [{reply, From, N}]}.
test() ->
    {ok, D} = gen_statem:start_link(?MODULE, [], []),
    Ps = [spawn_monitor(fun() -> gen_statem:cast(D, {button, ok}) end) || _ <- [1, 2]],
    [receive {'DOWN', R, process, P, _} -> ok end || {P, R} <- Ps],
    1 = gen_statem:call(D, count).
