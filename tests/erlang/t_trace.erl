%% Tracing: the messages that a tracer gets. The traced process starts when everything is set.
-module(t_trace).
-export([local_calls/0, remote_calls/0, results/0, failure/0, uncaught/0, message/0, caller/0,
         arity/0, sends/0, receives/0, life/0, inherited/0, inherited_once/0, info/0, refused/0,
         delivered/0, silent/0, off_again/0, tail_calls/0, spec_test/0, tool/0,
         many_returns/0]).
-export([count/1, through/1, fail/1, loop/2, grow/2]).

count(0) -> 0;
count(N) -> 1 + count(N - 1).

through(N) -> ?MODULE:count(N).

fail(Reason) -> error(Reason).

grow(0, List) -> length(List);
grow(N, List) -> 1 + grow(N - 1, [N | List]).

loop(0, Sum) -> Sum;
loop(N, Sum) -> loop(N - 1, Sum + N).

%% What the tracer got when the traced process has said that it is done, and 'EXIT' of it. Pids are
%% numbered.
trace(Flags, Functions, Fun) ->
    Self = self(),
    Pid = spawn(fun() -> receive go -> Fun(Self) end end),
    1 = erlang:trace(Pid, true, Flags),
    Set = [erlang:trace_pattern({?MODULE, F, A}, Spec, How) || {F, A, Spec, How} <- Functions],
    Monitor = monitor(process, Pid),
    Pid ! go,
    Got = collect(Monitor),
    erlang:trace_pattern({?MODULE, '_', '_'}, false, [local]),
    erlang:trace_pattern({?MODULE, '_', '_'}, false, [global]),
    {Set, number([Pid, Self], Got)}.

collect(Monitor) ->
    receive
        {'DOWN', Monitor, _, _, _} ->
            Ref = erlang:trace_delivered(all),
            rest(Ref);
        Message -> [Message | collect(Monitor)]
    end.

rest(Ref) ->
    receive
        {trace_delivered, all, Ref} -> [];
        Message -> [Message | rest(Ref)]
    end.

number(_, []) -> [];
number(Pids, [Message | Rest]) ->
    {Numbered, Known} = term(Message, Pids),
    [Numbered | number(Known, Rest)].

term(Pid, Pids) when is_pid(Pid) ->
    case [N || {N, P} <- lists:zip(lists:seq(1, length(Pids)), Pids), P =:= Pid] of
        [N] -> {{pid, N}, Pids};
        [] -> {{pid, length(Pids) + 1}, Pids ++ [Pid]}
    end;
term(Tuple, Pids) when is_tuple(Tuple) ->
    {List, Known} = lists:mapfoldl(fun term/2, Pids, tuple_to_list(Tuple)),
    {list_to_tuple(List), Known};
term(List, Pids) when is_list(List) -> lists:mapfoldl(fun term/2, Pids, List);
term(Fun, Pids) when is_function(Fun) -> {a_fun, Pids};
term(Other, Pids) -> {Other, Pids}.

local_calls() -> trace([call], [{count, 1, true, [local]}], fun(_) -> through(2) end).
remote_calls() -> trace([call], [{count, 1, true, [global]}], fun(_) -> through(2) end).

results() ->
    trace([call], [{count, 1, [{'_', [], [{return_trace}]}], [local]}], fun(_) -> count(2) end).

failure() ->
    Spec = [{'_', [], [{exception_trace}]}],
    trace([call, send], [{fail, 1, Spec, [local]}, {count, 1, Spec, [local]}],
          fun(To) ->
              count(0),
              To ! try fail(a) catch error:E:Stack -> {E, setelement(4, hd(Stack), [])} end
          end).

uncaught() ->
    Spec = [{'_', [], [{exception_trace}]}],
    trace([call], [{fail, 1, Spec, [local]}], fun(_) -> catch fail(a), exit(fail(normal)) end).

message() ->
    Spec = [{['$1'], [{'>', '$1', 2}], [{message, {{large, '$1'}}}]},
            {[1], [], [{message, false}]},
            {[0], [], []}],
    trace([call], [{count, 1, Spec, [local]}], fun(_) -> count(3) end).

caller() ->
    trace([call], [{count, 1, [{'_', [], [{message, {caller}}]}], [local]}],
          fun(_) -> 1 + count(1) end).

arity() -> trace([call, arity], [{count, 1, true, [local]}], fun(_) -> count(1) end).

sends() ->
    trace([send], [], fun(To) -> To ! first, erlang:send(To, second), erlang:send(To, x, []) end).

receives() ->
    trace(['receive'], [], fun(_) -> self() ! own, receive own -> ok end end).

life() ->
    trace([procs], [],
          fun(_) ->
              Pid = spawn(lists, seq, [1, 2]),
              register(t_trace_name, self()),
              unregister(t_trace_name),
              Ref = monitor(process, Pid),
              receive {'DOWN', Ref, _, _, _} -> ok end,
              exit(reason)
          end).

inherited() ->
    trace([procs, call, set_on_spawn], [{count, 1, true, [local]}],
          fun(_) ->
              {_, Ref} = spawn_monitor(?MODULE, count, [1]),
              receive {'DOWN', Ref, _, _, _} -> ok end
          end).

inherited_once() ->
    trace([procs, set_on_first_spawn], [],
          fun(_) ->
              [begin
                   {_, Ref} = spawn_monitor(?MODULE, count, [N]),
                   receive {'DOWN', Ref, _, _, _} -> ok end
               end || N <- [1, 2]]
          end).

info() ->
    Pid = spawn(fun() -> receive go -> ok end end),
    erlang:trace(Pid, true, [call, send]),
    erlang:trace_pattern({?MODULE, count, 1}, [{'_', [], [{return_trace}]}], [local]),
    {flags, Flags} = erlang:trace_info(Pid, flags),
    Result = {lists:sort(Flags), erlang:trace_info(Pid, tracer) =:= {tracer, self()},
              erlang:trace_info(self(), flags), erlang:trace_info(self(), tracer),
              [erlang:trace_info({?MODULE, F, A}, What)
               || {F, A} <- [{count, 1}, {through, 1}, {none, 1}],
                  What <- [traced, match_spec, call_time, call_count]]},
    erlang:trace(Pid, false, [all]),
    erlang:trace_pattern({?MODULE, count, 1}, false, [local]),
    {Result, erlang:trace_info(Pid, flags), erlang:trace_info({?MODULE, count, 1}, traced)}.

refused() ->
    Pid = spawn(fun() -> ok end),
    Ref = monitor(process, Pid),
    receive {'DOWN', Ref, _, _, _} -> ok end,
    [try apply(erlang, Name, Args) catch error:Reason -> Reason end
     || {Name, Args} <- [{trace, [Pid, true, [call]]}, {trace, [nobody, true, [call]]},
                         {trace, [self(), true, [no_flag]]}, {trace, [self(), perhaps, [call]]},
                         {trace, [self(), true, [{tracer, Pid}]]},
                         {trace_pattern, [{?MODULE, '_', 1}, true, [local]]},
                         {trace_pattern, [{?MODULE, count, 1}, [{a}], [local]]},
                         {trace_pattern, [{?MODULE, count, 1}, [{'_', [], [{unknown}]}], [local]]},
                         {trace_pattern, [{?MODULE, count, 1}, [{['$1'], [], ['$2']}], [local]]},
                         {trace_pattern, [{?MODULE, none, 1}, true, [local]]},
                         {trace_info, [self(), nothing]}, {trace_info, [Pid, flags]},
                         {trace_delivered, [nobody]}]].

delivered() ->
    Ref = erlang:trace_delivered(self()),
    receive {trace_delivered, Pid, Ref} -> Pid =:= self() end.

silent() -> trace([call, silent], [{count, 1, true, [local]}], fun(_) -> count(1) end).

off_again() ->
    trace([call], [{count, 1, true, [local]}],
          fun(_) -> count(0), erlang:trace_pattern({?MODULE, count, 1}, false, [local]), count(0) end).

tail_calls() ->
    trace([call], [{loop, 2, [{'_', [], [{return_trace}]}], [local]}], fun(_) -> loop(3, 0) end).

%% The frame of each traced call needs room on a heap that is nearly full.
many_returns() ->
    Spec = [{'_', [], [{return_trace}]}],
    {Set, Got} = trace([call], [{grow, 2, Spec, [local]}],
                       fun(_) -> [grow(N, []) || N <- lists:seq(1, 60)] end),
    {Set, length(Got), erlang:phash2(Got)}.

spec_test() ->
    [erlang:match_spec_test([3], Spec, trace)
     || Spec <- [[{'_', [], []}], [{['$1'], [{'>', '$1', 5}], []}], [{'_', [], [{return_trace}]}],
                 [{['$1'], [], [{message, '$1'}]}], [{'_', [], [{message, false}]}]]].

tool() ->
    Self = self(),
    {ok, _} = dbg:tracer(process, {fun(Message, To) -> To ! {dbg, setelement(2, Message, p)}, To end,
                                   Self}),
    {ok, _} = dbg:tpl(?MODULE, count, 1, x),
    Pid = spawn(fun() -> receive go -> through(1) end end),
    {ok, _} = dbg:p(Pid, [c]),
    Pid ! go,
    Got = [receive {dbg, Message} -> Message end || _ <- [1, 2, 3, 4]],
    dbg:ctpl(?MODULE, count, 1),
    _ = dbg:stop(),
    Got.
