%% Timers that send messages: starting, reading, cancelling, their options and errors.
-module(t_timer).
-export([sleep_for_ever/0, send_after/0, start_timer/0, order/0, to_name/0, to_nobody/0, cancel/0, cancel_fired/0,
         cancel_twice/0, cancel_async/0, cancel_silent/0, cancel_others/0, read/0, read_async/0,
         absolute/0, absolute_past/0, zero/0, owner_ends/0, destination_ends/0, bad_times/0,
         bad_destinations/0, bad_options/0, bad_references/0, many/0, receive_and_timer/0,
         name_at_expiry/0, timer_module/0, ended_goal/0]).
-include("t.hrl").

why(F) ->
    try F()
    catch C:R:S ->
        {_, _, _, I} = hd(S),
        {C, R, maps:get(cause, proplists:get_value(error_info, I, #{}), none)}
    end.
-define(WHY(Expression), why(fun() -> Expression end)).

send_after() -> R = erlang:send_after(10, self(), {m, 1}), {is_reference(R), tlib:reply(1000)}.
start_timer() -> R = erlang:start_timer(10, self(), m), receive {timeout, R, X} -> X end.

order() ->
    [erlang:send_after(T, self(), T) || T <- [30, 10, 20]],
    [tlib:reply(1000), tlib:reply(1000), tlib:reply(1000)].

to_name() ->
    register(t_timer, self()),
    erlang:send_after(5, t_timer, hello),
    R = tlib:reply(1000),
    unregister(t_timer),
    R.

to_nobody() ->
    R = erlang:send_after(5, t_timer_nobody, hello),
    {is_reference(R), tlib:reply(20), erlang:cancel_timer(R)}.

cancel() ->
    R = erlang:send_after(100000, self(), m),
    L = erlang:cancel_timer(R),
    {is_integer(L) andalso L > 90000 andalso L =< 100000, tlib:reply(5)}.

cancel_fired() ->
    R = erlang:send_after(1, self(), m),
    X = tlib:reply(1000),
    {X, erlang:cancel_timer(R)}.

cancel_twice() ->
    R = erlang:start_timer(100000, self(), m),
    is_integer(erlang:cancel_timer(R)) andalso erlang:cancel_timer(R).

cancel_async() ->
    R = erlang:start_timer(100000, self(), m),
    ok = erlang:cancel_timer(R, [{async, true}]),
    receive {cancel_timer, R, L} -> is_integer(L) after 1000 -> timeout end.

cancel_silent() ->
    R = erlang:start_timer(100000, self(), m),
    {erlang:cancel_timer(R, [{async, true}, {info, false}]), tlib:reply(5),
     erlang:cancel_timer(R, [{info, false}]), erlang:cancel_timer(R, [{info, true}]),
     erlang:cancel_timer(R, [])}.

cancel_others() ->
    R = erlang:start_timer(100000, self(), m),
    S = self(),
    spawn(fun() -> S ! is_integer(erlang:cancel_timer(R)) end),
    tlib:reply(1000).

read() ->
    R = erlang:start_timer(100000, self(), m),
    A = erlang:read_timer(R),
    erlang:cancel_timer(R),
    {A > 90000 andalso A =< 100000, erlang:read_timer(R)}.

read_async() ->
    R = erlang:start_timer(100000, self(), m),
    ok = erlang:read_timer(R, [{async, true}]),
    X = receive {read_timer, R, L} -> is_integer(L) end,
    erlang:cancel_timer(R),
    X.

absolute() ->
    T = erlang:monotonic_time(millisecond) + 20,
    R = erlang:send_after(T, self(), m, [{abs, true}]),
    L = erlang:read_timer(R),
    {L =< 21 andalso L > 0, tlib:reply(1000), erlang:monotonic_time(millisecond) >= T}.

absolute_past() ->
    T = erlang:monotonic_time(millisecond) - 1,
    erlang:start_timer(T, self(), m, [{abs, true}]),
    element(1, tlib:reply(1000)).

zero() -> erlang:send_after(0, self(), m), tlib:reply(1000).

owner_ends() ->
    S = self(),
    P = spawn(fun() -> erlang:send_after(20, S, still_here) end),
    tlib:await_down(P),
    tlib:reply(1000).

destination_ends() ->
    P = spawn(fun() -> ok end),
    tlib:await_down(P),
    R = erlang:send_after(5, P, m),
    {is_reference(R), tlib:reply(20)}.

bad_times() ->
    [?WHY(erlang:F(?ID(T), self(), x)) || F <- [send_after, start_timer],
     T <- [a, -1, 1.0, 1 bsl 62, 1 bsl 80]].

bad_destinations() ->
    [?WHY(erlang:F(1, ?ID(D), x)) || F <- [send_after, start_timer],
     D <- ["x", {a, b}, 1, make_ref()]].

bad_options() ->
    [?WHY(erlang:send_after(1, self(), x, ?ID(O)))
     || O <- [a, [a], [{abs, x}], [{abs, true} | x], [{async, true}]]] ++ [
        ?WHY(erlang:cancel_timer(make_ref(), ?ID(O)))
        || O <- [a, [{x, true}], [{abs, true}], [{async, x}]]] ++ [
        ?WHY(erlang:read_timer(make_ref(), ?ID(O))) || O <- [a, [{info, true}], [{async, x}]]].

bad_references() ->
    [?WHY(erlang:F(?ID(X))) || F <- [cancel_timer, read_timer], X <- [a, 1, self()]].

many() ->
    Rs = [erlang:start_timer(1000 + I, self(), I) || I <- lists:seq(1, 200)],
    [erlang:cancel_timer(R) || {I, R} <- lists:zip(lists:seq(1, 200), Rs), I rem 2 =:= 0],
    [erlang:send_after(I, self(), I) || I <- [3, 1, 2]],
    [tlib:reply(5000) || _ <- [1, 2, 3]].

receive_and_timer() -> erlang:send_after(10, self(), late), {tlib:reply(1), tlib:reply(1000)}.

name_at_expiry() ->
    erlang:send_after(20, t_timer_later, m),
    register(t_timer_later, self()),
    R = tlib:reply(1000),
    unregister(t_timer_later),
    R.

timer_module() -> {timer:seconds(2), timer:hms(1, 1, 1), timer:sleep(1)}.

%% A timer for a process, not for a name, ends with it.
ended_goal() ->
    P = spawn(fun() -> receive stop -> ok end end),
    register(t_timer_goal, P),
    Before = [erlang:F(60000, P, m) || F <- [send_after, start_timer]],
    Named = erlang:send_after(60000, t_timer_goal, m),
    Runs = [is_integer(erlang:read_timer(T)) || T <- Before],
    P ! stop,
    tlib:await_down(P),
    Behind = erlang:send_after(60000, P, m),
    {Runs, [erlang:read_timer(T) || T <- [Behind | Before]],
     [erlang:cancel_timer(T) || T <- [Behind | Before]],
     is_integer(erlang:read_timer(Named)), is_integer(erlang:cancel_timer(Named))}.

%% A message does not end a sleep without end.
sleep_for_ever() ->
    {P, Ref} = spawn_monitor(fun() -> timer:sleep(infinity) end),
    receive after 10 -> ok end,
    P ! one,
    receive after 10 -> ok end,
    P ! two,
    Result = receive {'DOWN', Ref, process, P, Why} -> {ended, Why} after 10 -> sleeping end,
    exit(P, kill),
    {Result, process_info(self(), message_queue_len)}.
