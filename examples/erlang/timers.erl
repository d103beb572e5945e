%% Timers: a request with a deadline, twice, where the first deadline may pass at the very moment
%% the answer arrives.
%%
%% stale_timeout/0 is wrong: the timer is cancelled, but its message may already be in the
%% mailbox, and the second request takes it for its own. stale_timeout_fixed/0 looks whether the
%% cancelling came too late. send_after/0 and send_after_fixed/0 are the same with timer:send_after,
%% which goes through the timer server of OTP.
%%
%% expect: stale_timeout => bug,abnormal-exit
%% expect: stale_timeout_fixed => proved
%% expect: send_after => bug,abnormal-exit
%% expect: send_after_fixed => proved
-module(timers).
-export([stale_timeout/0, stale_timeout_fixed/0, send_after/0, send_after_fixed/0]).

stale_timeout() -> twice(fun native/2, fun(Timer) -> erlang:cancel_timer(Timer) end).
stale_timeout_fixed() -> twice(fun native/2, fun cancel_and_flush/1).

send_after() -> twice(fun stdlib/2, fun(Timer) -> timer:cancel(Timer) end).
send_after_fixed() ->
    twice(fun stdlib/2, fun(Timer) ->
                                timer:cancel(Timer),
                                receive deadline -> ok after 0 -> ok end
                        end).

native(Ms, Message) -> erlang:send_after(Ms, self(), Message).

stdlib(Ms, Message) ->
    {ok, Timer} = timer:send_after(Ms, Message),
    Timer.

cancel_and_flush(Timer) ->
    case erlang:cancel_timer(Timer) of
        false -> receive deadline -> ok after 0 -> ok end;
        _ -> ok
    end.

%% The first deadline is short and may pass; the second never can.
twice(Start, Cancel) ->
    request(Start, 50, Cancel),
    answered = request(Start, infinity, Cancel).

request(Start, Ms, Cancel) ->
    Self = self(),
    spawn(fun() -> Self ! answer end),
    Timer = start(Start, Ms),
    receive
        answer -> stop(Timer, Cancel), answered;
        deadline -> receive answer -> late end
    end.

start(_, infinity) -> none;
start(Start, Ms) -> Start(Ms, deadline).

stop(none, _) -> ok;
stop(Timer, Cancel) -> Cancel(Timer).
