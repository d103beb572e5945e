%% Tracing: every trace message is a step of its own, so a tracer sees each order that a node shows.
%% A send and the call before it are two messages of one process, which arrive in order; messages
%% about two processes arrive in any order.
%%
%% expect: call --strategy dpor => proved, assuming nothing
%% expect: call --strategy dpor --delivery async => proved
%% expect: results --strategy dpor => proved
%% expect: failure --strategy dpor => proved
%% expect: sends --strategy dpor => proved, assuming trace messages
%% expect: life --strategy dpor => proved
%% expect: two_processes --strategy dpor => bug
%% expect: two_processes --strategy dfs => bug
%% expect: started_beside --strategy dpor => bug
%% expect: tool --strategy dpor => proved
%% expect: tool_stops --strategy dpor => proved
%% expect: received => lost-control
%% expect: native => lost-control
-module(traced).
-export([call/0, results/0, failure/0, sends/0, life/0, two_processes/0, started_beside/0, tool/0,
         tool_stops/0, received/0, native/0]).
-export([count/1, fail/1]).

count(0) -> 0;
count(N) -> 1 + count(N - 1).

fail(Reason) -> error(Reason).

%% Another process that does this once it is traced.
traced(Flags, Fun) ->
    Pid = spawn(fun() -> receive go -> Fun() end end),
    1 = erlang:trace(Pid, true, Flags),
    Pid ! go,
    Pid.

set(Function, Spec) -> 1 = erlang:trace_pattern({?MODULE, Function, 1}, Spec, [local]).

call() ->
    set(count, true),
    Pid = traced([call], fun() -> count(1) end),
    receive {trace, Pid, call, {?MODULE, count, [1]}} -> ok end,
    receive {trace, Pid, call, {?MODULE, count, [0]}} -> ok end.

results() ->
    set(count, [{['$1'], [{'>', '$1', 0}], [{return_trace}, {message, {{asked, '$1'}}}]}]),
    Pid = traced([call], fun() -> count(1) end),
    receive First -> {trace, Pid, call, {?MODULE, count, [1]}, {asked, 1}} = First end,
    receive Second -> {trace, Pid, return_from, {?MODULE, count, 1}, 1} = Second end.

failure() ->
    set(fail, [{'_', [], [{exception_trace}]}]),
    Pid = traced([call, arity], fun() -> catch fail(x) end),
    receive First -> {trace, Pid, call, {?MODULE, fail, 1}} = First end,
    receive Second -> {trace, Pid, exception_from, {?MODULE, fail, 1}, {error, x}} = Second end.

%% The tracer hears of a message before the receiver, which is the tracer here, gets it.
sends() ->
    Self = self(),
    Pid = traced([send], fun() -> Self ! hello end),
    receive First -> {trace, Pid, send, hello, Self} = First end,
    receive Second -> hello = Second end.

life() ->
    Pid = traced([procs, set_on_spawn], fun() -> spawn_link(?MODULE, count, [0]) end),
    Child = receive {trace, Pid, spawn, New, {?MODULE, count, [0]}} -> New end,
    receive {trace, Pid, link, Child} -> ok end,
    receive {trace, Child, spawned, Pid, {?MODULE, count, [0]}} -> ok end,
    receive {trace, Child, getting_linked, Pid} -> ok end,
    [receive {trace, P, exit, normal} -> ok end || P <- [Pid, Child]].

%% Wrong: the first message may be about the second process.
two_processes() ->
    set(count, true),
    First = traced([call], fun() -> count(0) end),
    _ = traced([call], fun() -> count(0) end),
    receive {trace, Pid, call, _} -> Pid = First end.

%% Wrong: the process may have made its call before it is traced.
started_beside() ->
    set(count, true),
    Pid = spawn(fun() -> receive never -> ok after 0 -> count(0) end end),
    1 = erlang:trace(Pid, true, [call]),
    receive {trace, Pid, call, _} -> ok end.

tool() ->
    Self = self(),
    {ok, _} = dbg:tracer(process, {fun(Message, To) -> To ! Message, To end, Self}),
    {ok, _} = dbg:tpl(?MODULE, count, 1, x),
    Pid = spawn(fun() -> receive go -> count(0) end end),
    {ok, _} = dbg:p(Pid, [c]),
    Pid ! go,
    receive {trace, Pid, call, {?MODULE, count, [0]}} -> ok end,
    receive {trace, Pid, return_from, {?MODULE, count, 1}, 0} -> ok end.

tool_stops() ->
    {ok, _} = dbg:tracer(process, {fun(_, Count) -> Count + 1 end, 0}),
    {ok, _} = dbg:tp(?MODULE, count, 1, []),
    {ok, _} = dbg:p(self(), [c]),
    1 = ?MODULE:count(1),
    _ = dbg:stop().

received() -> traced(['receive'], fun() -> ok end).

native() -> erlang:trace_pattern({erlang, send, 2}, true, []).
