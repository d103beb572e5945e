%% gen_statem from the stock .beam files, in both callback modes.
-module(t_statem).
-behaviour(gen_statem).
-export([callback_mode/0, start_get/0, start_actions/0, start_stop/0, start_bad/0, next_state/0,
         keep_state/0, keep_state_and_data/0, repeat_state/0, reply_action/0, reply_later/0,
         cast_and_info/0, postpone/0, next_event/0, state_timeout/0, state_timeout_cancelled/0,
         event_timeout/0, event_timeout_cancelled/0, generic_timeout/0,
         generic_timeout_cancel/0, timeout_zero_order/0, stop/0, stop_from_event/0,
         stop_and_reply/0, crash/0, bad_return/0, call_timeout/0, change_data/0, door/0,
         hibernate/0, sys_state/0, named/0]).
-export([init/1, handle_event/4, terminate/3, code_change/4]).
-include("t.hrl").

%% The state is whatever the test says; each event carries a fun that answers for the machine.

callback_mode() -> handle_event_function.
init(Fun) -> Fun().
handle_event(_, {do, Fun}, S, D) -> Fun(S, D);
handle_event({call, From}, {call, Fun}, S, D) -> Fun(From, S, D);
handle_event({call, From}, get, S, D) -> {keep_state, D, [{reply, From, {S, D}}]};
handle_event(T, C, S, D) -> {keep_state, [{tag(T), C, S} | D]}.
tag({call, _}) -> call;
tag(T) -> T.
terminate(R, S, {notify, P}) -> P ! {terminated, R, S};
terminate(_, _, _) -> ok.
code_change(_, S, D, _) -> {ok, S, D}.

machine(S) -> machine(S, []).
machine(S, D) -> {ok, P} = gen_statem:start(t_statem, fun() -> {ok, S, D} end, []), P.
call(P, Fun) -> gen_statem:call(P, {call, Fun}).
fetch(P) -> gen_statem:call(P, get).
go(P, Fun) -> gen_statem:cast(P, {do, Fun}), fetch(P).

start_get() -> fetch(machine(a)).

start_actions() ->
    {ok, P} = gen_statem:start(t_statem, fun() -> {ok, a, [], [{next_event, internal, i}]} end,
                               []),
    fetch(P).

start_stop() -> [gen_statem:start(t_statem, fun() -> R end, []) || R <- [ignore, {stop, why}]].

start_bad() ->
    {error, R} = gen_statem:start(t_statem, fun() -> nonsense end, []),
    case R of {{E, V}, _} -> {E, V}; X -> X end.

next_state() -> go(machine(a), fun(a, D) -> {next_state, b, D} end).
keep_state() -> go(machine(a), fun(_, _) -> {keep_state, new_data} end).
keep_state_and_data() -> go(machine(a), fun(_, _) -> keep_state_and_data end).
repeat_state() -> go(machine(a), fun(_, D) -> {repeat_state, [r | D]} end).
reply_action() -> call(machine(a), fun(F, S, D) -> {next_state, b, D, [{reply, F, {was, S}}]} end).

reply_later() ->
    P = machine(none),
    S = self(),
    spawn(fun() -> S ! {r, call(P, fun(F, _, D) -> {next_state, {waiting, F}, D} end)} end),
    tlib:until(fun() -> element(1, fetch(P)) =/= none end),
    {{waiting, F}, _} = fetch(P),
    gen_statem:reply(F, later),
    receive {r, R} -> R end.

cast_and_info() -> P = machine(a), gen_statem:cast(P, c1), P ! i1, fetch(P).

postpone() ->
    P = machine(a),
    gen_statem:cast(P, {do, fun(a, _) -> {keep_state_and_data, [postpone]}; (b, D) ->
                                {keep_state, [ran_in_b | D]} end}),
    A = fetch(P),
    gen_statem:cast(P, {do, fun(a, D) -> {next_state, b, D} end}),
    {A, fetch(P)}.

next_event() ->
    go(machine(a),
       fun(_, D) -> {keep_state, D, [{next_event, internal, one}, {next_event, cast, two}]} end).

state_timeout() ->
    P = machine(a), gen_statem:cast(P, {do, fun(a, D) ->
      {next_state, b, D, [{state_timeout, 2, tick}]} end}),
    tlib:until(fun() -> element(2, fetch(P)) =/= [] end), fetch(P).

state_timeout_cancelled() ->
    P = machine(a), gen_statem:cast(P, {do, fun(a, D) ->
      {next_state, b, D, [{state_timeout, 20, tick}]} end}),
    gen_statem:cast(P, {do, fun(b, D) -> {next_state, c, D} end}), receive after 40 -> ok end,
    fetch(P).

event_timeout() ->
    P = machine(a),
    gen_statem:cast(P, {do, fun(_, D) -> {keep_state, D, 2} end}),
    receive after 20 -> ok end,
    fetch(P).

event_timeout_cancelled() ->
    P = machine(a),
    gen_statem:cast(P, {do, fun(_, D) -> {keep_state, D, 20} end}),
    gen_statem:cast(P, x),
    receive after 40 -> ok end,
    fetch(P).

generic_timeout() ->
    P = machine(a), gen_statem:cast(P, {do, fun(_, D) ->
      {keep_state, D, [{{timeout, t1}, 2, one}, {{timeout, t2}, 4, two}]} end}),
    tlib:until(fun() -> length(element(2, fetch(P))) =:= 2 end), fetch(P).

generic_timeout_cancel() ->
    P = machine(a), gen_statem:cast(P, {do, fun(_, D) ->
      {keep_state, D, [{{timeout, t1}, 10, one}]} end}),
    gen_statem:cast(P, {do, fun(_, D) -> {keep_state, D, [{{timeout, t1}, cancel}]} end}),
    receive after 30 -> ok end, fetch(P).

timeout_zero_order() ->
    P = machine(a), gen_statem:cast(P, {do, fun(_, D) ->
      {keep_state, D, [{state_timeout, 0, z}, {next_event, internal, first}]} end}),
    tlib:until(fun() -> length(element(2, fetch(P))) =:= 2 end), fetch(P).

stop() ->
    P = machine(a, {notify, self()}),
    M = monitor(process, P),
    gen_statem:stop(P),
    receive {terminated, R, S} -> receive {'DOWN', M, _, _, X} -> {R, S, X} end end.

stop_from_event() ->
    P = machine(a),
    M = monitor(process, P),
    gen_statem:cast(P, {do, fun(_, _) -> {stop, {shutdown, done}} end}),
    receive {'DOWN', M, _, _, R} -> R end.

stop_and_reply() ->
    P = machine(a),
    call(P, fun(F, _, _) -> {stop_and_reply, normal, [{reply, F, bye}]} end).

crash() ->
    P = machine(a),
    M = monitor(process, P),
    gen_statem:cast(P, {do, fun(_, _) -> error(oops) end}),
    receive {'DOWN', M, _, _, {R, _}} -> R end.

bad_return() ->
    P = machine(a),
    M = monitor(process, P),
    gen_statem:cast(P, {do, fun(_, _) -> nonsense end}),
    receive {'DOWN', M, _, _, {R, _}} -> R end.

call_timeout() ->
    P = machine(a),
    {exit, {R, _}} = ?TRY(gen_statem:call(P, {call, fun(_, _, _) -> keep_state_and_data end}, 5)),
    R.

change_data() ->
    P = machine(a),
    [gen_statem:cast(P, {do, fun(S, D) -> {next_state, S, [I | D]} end}) || I <- [1, 2, 3]],
    fetch(P).

door() ->
    P = machine(locked, {code, [1, 2]}),
    B = fun(N) -> gen_statem:cast(P, {do, fun(locked, {code, [N]}) ->
                                              {next_state, open, {code, [1, 2]},
                                               [{state_timeout, 3, lock}]};
                                              (locked, {code, [X | R]}) when X =:= N ->
                                              {keep_state, {code, R}}; (_, _) ->
                                              keep_state_and_data end}) end,
    B(1),
    B(2),
    A = fetch(P),
    A.

hibernate() -> go(machine(a), fun(_, D) -> {keep_state, [h | D], [hibernate]} end).

sys_state() ->
    P = machine(a, d),
    {sys:get_state(P), sys:replace_state(P, fun({S, D}) -> {S, {new, D}} end), fetch(P)}.

named() ->
    {ok, _} = gen_statem:start({local, t_statem_name}, t_statem, fun() -> {ok, n, d} end, []),
    R = fetch(t_statem_name),
    gen_statem:stop(t_statem_name),
    R.
