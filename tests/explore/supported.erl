%% Features that make other tools for Erlang give up or blame the program (aliases, monitor/3,
%% spawn_request, atomics, counters, the rarer ETS functions, cancel_timer/2, pg, a small
%% application): each once without a bug and, where it is about a race, once with one.
%%
%% expect: alias => proved
%% expect: monitor_alias => proved
%% expect: monitor_tag => proved
%% expect: spawn_request => proved
%% expect: atomics_add => proved
%% expect: atomics_lost => bug,abnormal-exit
%% expect: atomics_exchange => proved
%% expect: counters_add => proved
%% expect: counters_lost => bug,abnormal-exit
%% expect: ets_take => proved
%% expect: ets_take_once => proved
%% expect: ets_foldl => proved
%% expect: ets_select_replace => proved
%% expect: ets_update_counter_default => proved
%% expect: cancel_timer_async => proved
%% expect: persistent_term_lost => bug,abnormal-exit
%% expect: pg_join => proved
%% expect: small_application => proved
%% expect: suspend => proved
%% expect: statistics => proved
%% expect: call_with_timeout => proved
-module(supported).
-behaviour(application).
-export([alias/0, monitor_alias/0, monitor_tag/0, spawn_request/0, atomics_add/0, atomics_lost/0,
         atomics_exchange/0, counters_add/0, counters_lost/0, ets_take/0, ets_take_once/0,
         ets_foldl/0, ets_select_replace/0, ets_update_counter_default/0, cancel_timer_async/0,
         persistent_term_lost/0, pg_join/0, small_application/0, suspend/0, statistics/0,
         call_with_timeout/0]).
-export([start/2, stop/1, init/1, handle_call/3, handle_cast/2]).

at_once(Funs) ->
    Monitors = [spawn_monitor(Fun) || Fun <- Funs],
    [receive {'DOWN', M, process, _, Reason} -> normal = Reason end || {_, M} <- Monitors].

alias() ->
    Alias = erlang:alias([reply]),
    at_once([fun() -> Alias ! first end, fun() -> Alias ! second end]),
    receive Message -> true = lists:member(Message, [first, second]) end,
    receive Other -> error({alias_still_active, Other}) after 0 -> ok end.

monitor_alias() ->
    Server = spawn(fun() -> receive {ask, A} -> A ! {A, answer} end end),
    Ref = monitor(process, Server, [{alias, reply_demonitor}]),
    Server ! {ask, Ref},
    receive {Ref, answer} -> ok end.

monitor_tag() ->
    Pid = spawn(fun() -> ok end),
    Ref = monitor(process, Pid, [{tag, ended}]),
    receive {ended, Ref, process, Pid, _} -> ok end.

spawn_request() ->
    Ref = erlang:spawn_request(fun() -> exit(done) end, [monitor]),
    receive {spawn_reply, Ref, ok, Pid} -> receive {'DOWN', Ref, process, Pid, done} -> ok end end.

atomics_add() ->
    A = atomics:new(1, []),
    at_once([fun() -> atomics:add(A, 1, 1) end || _ <- [1, 2]]),
    2 = atomics:get(A, 1).

atomics_lost() ->
    A = atomics:new(1, []),
    at_once([fun() -> atomics:put(A, 1, atomics:get(A, 1) + 1) end || _ <- [1, 2]]),
    2 = atomics:get(A, 1).

atomics_exchange() ->
    A = atomics:new(1, []),
    at_once([fun() -> increment(A) end || _ <- [1, 2]]),
    2 = atomics:get(A, 1).

increment(A) ->
    V = atomics:get(A, 1),
    case atomics:compare_exchange(A, 1, V, V + 1) of
        ok -> ok;
        _ -> increment(A)
    end.

counters_add() ->
    C = counters:new(1, []),
    at_once([fun() -> counters:add(C, 1, 1) end || _ <- [1, 2]]),
    2 = counters:get(C, 1).

counters_lost() ->
    C = counters:new(1, []),
    at_once([fun() -> counters:put(C, 1, counters:get(C, 1) + 1) end || _ <- [1, 2]]),
    2 = counters:get(C, 1).

table(Objects) ->
    T = ets:new(t, [public]),
    ets:insert(T, Objects),
    T.

ets_take() ->
    T = table([{k, 1}]),
    at_once([fun() -> ets:take(T, k) end, fun() -> ets:take(T, other) end]),
    [] = ets:tab2list(T).

%% Only one of two takes the object.
ets_take_once() ->
    T = table([{k, 1}]),
    Self = self(),
    at_once([fun() -> Self ! {I, ets:take(T, k)} end || I <- [1, 2]]),
    [{k, 1}] = lists:append([receive {I, Taken} -> Taken end || I <- [1, 2]]).

ets_foldl() ->
    T = table([{a, 1}, {b, 2}]),
    at_once([fun() -> ets:insert(T, {a, 10}) end, fun() -> ets:foldl(fun add/2, 0, T) end]),
    12 = ets:foldl(fun add/2, 0, T).

add({_, V}, Sum) -> V + Sum.

ets_select_replace() ->
    T = table([{k, 1}]),
    Increment = [{{'$1', '$2'}, [], [{{'$1', {'+', '$2', 1}}}]}],
    at_once([fun() -> ets:select_replace(T, Increment) end || _ <- [1, 2]]),
    [{k, 3}] = ets:tab2list(T).

ets_update_counter_default() ->
    T = table([]),
    at_once([fun() -> ets:update_counter(T, k, 1, {k, 0}) end || _ <- [1, 2]]),
    [{k, 2}] = ets:tab2list(T).

cancel_timer_async() ->
    Timer = erlang:send_after(100, self(), fired),
    ok = erlang:cancel_timer(Timer, [{async, true}, {info, true}]),
    receive {cancel_timer, Timer, Left} -> was_fired(Left) end.

was_fired(false) -> receive fired -> ok end;
was_fired(Left) when is_integer(Left) -> ok.

persistent_term_lost() ->
    persistent_term:put(?MODULE, 0),
    at_once([fun() -> persistent_term:put(?MODULE, persistent_term:get(?MODULE) + 1) end
             || _ <- [1, 2]]),
    2 = persistent_term:get(?MODULE).

pg_join() ->
    {ok, Scope} = pg:start(supported_scope),
    ok = pg:join(supported_scope, group, self()),
    [_] = pg:get_members(supported_scope, group),
    exit(Scope, kill).

small_application() ->
    ok = application:load({application, supported, [{vsn, "1"}, {applications, [kernel, stdlib]},
                                                    {mod, {?MODULE, []}}]}),
    ok = application:start(supported),
    pong = gen_server:call(supported_server, ping),
    ok = application:stop(supported).

suspend() ->
    Self = self(),
    Pid = spawn(fun() -> receive go -> Self ! went end end),
    true = erlang:suspend_process(Pid),
    Pid ! go,
    true = erlang:resume_process(Pid),
    receive went -> ok end.

statistics() ->
    {_, _} = erlang:statistics(reductions),
    true = erlang:unique_integer([monotonic]) < erlang:unique_integer([monotonic]).

%% The default timeout of gen_server:call must not be taken for something that happens.
call_with_timeout() ->
    {ok, Pid} = gen_server:start(?MODULE, [], []),
    at_once([fun() -> pong = gen_server:call(Pid, ping) end || _ <- [1, 2]]),
    gen_server:stop(Pid).

start(_, _) -> gen_server:start_link({local, supported_server}, ?MODULE, [], []).
stop(_) -> ok.
init([]) -> {ok, []}.
handle_call(ping, _, State) -> {reply, pong, State}.
handle_cast(_, State) -> {noreply, State}.
