%% A gate that is locked puts off those who want to pass, and nothing unlocks it.
-module(gate).
-behaviour(gen_statem).
-export([test/0]).
-export([init/1, callback_mode/0, closed/3, locked/3]).

callback_mode() -> state_functions.
init([]) -> {ok, closed, none}.

closed({call, From}, pass, none) -> {keep_state_and_data, [{reply, From, ok}]};
closed({call, From}, lock, none) -> {next_state, locked, none, [{reply, From, ok}]}.

locked({call, _}, pass, none) -> {keep_state_and_data, [postpone]}.

test() ->
    {ok, Gate} = gen_statem:start_link({local, gate}, ?MODULE, [], []),
    Me = self(),
    spawn_link(fun() -> ok = gen_statem:call(Gate, lock), Me ! guard_is_done end),
    spawn_link(fun() -> ok = gen_statem:call(Gate, pass), Me ! visitor_is_done end),
    receive guard_is_done -> ok end,
    receive visitor_is_done -> ok end.
