%% Kinds of tracing beside calls of processes: native functions, meta tracing, counters, return_to,
%% and actions that change what is traced.
-module(t_trace_more).
-export([natives/0, to_be_loaded/0, loading/0, native_failure/0, meta/0, meta_ends/0, counts/0, returns_to/0,
         returns_to_handler/0, caller_lines/0, silent_spec/0, enable/0, enable_other/0,
         control_word/0, timeouts/0, lost_link/0, linked/0, global_ends_all/0, loaded_anew/0,
         uncaught_throw/0, linked_child/0, info/0, dead_meta_tracer/0, wrong/0,
         order_of_flags/0, times/0, wrong_counting/0, caught_natives/0, undefined_call/0,
         local_and_global/0, global_ends/0, turns/0, collections/0, call_before_meta/0]).
-export([takes_turns/1, waits/1, twice/1, handles/1, passes/1, calls_undefined/1]).
-export([outer/1, inner/1, thrower/1, catcher/1, work/1]).
-include("t.hrl").

outer(X) -> Y = inner(X), {outer, Y}.
inner(X) -> {inner, X}.
thrower(X) -> throw({thrown, X}).
catcher(X) -> try thrower(X) catch Reason -> Reason end.
work(X) -> integer_to_list(tlib:id(X)).

%% The messages that a process got while Fun ran in another one, without times.
traced(Flags, Set, Fun) ->
    Self = self(),
    Pid = spawn(fun() -> receive go -> Fun() end end),
    Ref = monitor(process, Pid),
    _ = [1 = erlang:trace(Pid, true, Flags) || Flags =/= []],
    Counts = Set(),
    Pid ! go,
    receive {'DOWN', Ref, _, _, _} -> ok end,
    Delivered = erlang:trace_delivered(all),
    receive {trace_delivered, all, Delivered} -> ok end,
    Got = [plain(M, [{Pid, traced}, {Self, self}]) || M <- flush()],
    clear(),
    {Counts, Got}.

clear() ->
    erlang:trace_pattern({?MODULE, '_', '_'}, false, [local, meta, call_count, call_time]),
    erlang:trace_pattern({?MODULE, '_', '_'}, false, [global]),
    [erlang:trace_pattern({erlang, F, A}, false, [local, meta])
     || {F, A} <- [{integer_to_list, 1}, {atom_to_list, 1}, {throw, 1}]].

flush() -> receive M -> [M | flush()] after 0 -> [] end.

plain(M, Names) when element(1, M) =:= trace_ts ->
    plain(list_to_tuple(lists:droplast(tuple_to_list(M))), Names);
plain(M, Names) ->
    Known = fun(X) -> proplists:get_value(X, Names, X) end,
    list_to_tuple([case is_pid(X) of true -> Known(X); false -> X end || X <- tuple_to_list(M)]).

set(F, A, Spec, Flags) -> erlang:trace_pattern({?MODULE, F, A}, Spec, Flags).
native(F, A, Spec, Flags) -> erlang:trace_pattern({erlang, F, A}, Spec, Flags).

natives() ->
    [traced([call], fun() -> native(integer_to_list, 1, Spec, Flags) end, fun() -> work(17) end)
     || Spec <- [true, [{'_', [], [{return_trace}]}], [{['$1'], [{'>', '$1', 20}], []}]],
        Flags <- [[], [local]]].

native_failure() ->
    traced([call], fun() -> native(atom_to_list, 1, [{'_', [], [{exception_trace}]}], [local]) end,
           fun() -> catch atom_to_list(tlib:id(1)) end).

meta() ->
    [traced([], fun() -> [set(outer, 1, Spec, [meta]), set(inner, 1, Spec, [meta])] end,
            fun() -> outer(x) end)
     || Spec <- [true, [{'_', [], [{return_trace}]}], [{['_'], [], [{message, {caller}}]}],
                 [{[y], [], []}]]].

meta_ends() ->
    traced([], fun() -> [set(thrower, 1, [{'_', [], [{exception_trace}]}], [meta]),
                         native(integer_to_list, 1, [{'_', [], [{return_trace}]}], [meta])] end,
           fun() -> catcher(1), work(2) end).

counts() ->
    set(inner, 1, true, [call_count]),
    _ = [outer(N) || N <- lists:seq(1, 5)],
    First = erlang:trace_info({?MODULE, inner, 1}, call_count),
    set(inner, 1, pause, [call_count]),
    outer(1),
    Paused = erlang:trace_info({?MODULE, inner, 1}, call_count),
    set(inner, 1, restart, [call_count]),
    outer(1),
    Again = erlang:trace_info({?MODULE, inner, 1}, call_count),
    set(inner, 1, false, [call_count]),
    {First, Paused, Again, erlang:trace_info({?MODULE, inner, 1}, call_count)}.

returns_to() ->
    traced([call, return_to],
           fun() -> [set(outer, 1, [{'_', [], [{return_trace}]}], [local]),
                     set(inner, 1, true, [local]),
                     native(integer_to_list, 1, true, [local])] end,
           fun() -> outer(1), work(2), outer(3) end).

returns_to_handler() ->
    traced([call, return_to], fun() -> set(thrower, 1, true, [local]) end,
           fun() -> catcher(1), ok end).

caller_lines() ->
    Spec = [{'_', [], [{message, {caller_line}}]}],
    {_, Got} = traced([call], fun() -> set(inner, 1, Spec, [local]) end,
                      fun() -> outer(1) end),
    [setelement(5, M, setelement(4, element(5, M), line)) || M <- Got].

silent_spec() ->
    traced([call, silent],
           fun() -> [set(inner, 1, true, [local]),
                     set(outer, 1, [{[on], [], [{silent, false}]}, {[off], [], [{silent, true}]}],
                         [local])] end,
           fun() -> inner(1), outer(on), inner(2), outer(off), inner(3) end).

enable() ->
    traced([call],
           fun() -> [set(inner, 1, true, [local]),
                     set(outer, 1, [{'_', [], [{disable_trace, call}]}], [local])] end,
           fun() -> inner(1), outer(2), inner(3) end).

enable_other() ->
    Other = spawn(fun() -> receive go -> inner(other) end end),
    Result = traced([call],
                    fun() -> [set(inner, 1, true, [local]),
                              set(outer, 1, [{'_', [], [{enable_trace, Other, call}]}],
                                  [local])] end,
                    fun() -> outer(1), Ref = monitor(process, Other), Other ! go,
                             receive {'DOWN', Ref, _, _, _} -> ok end end),
    {Counts, Got} = Result,
    {Counts, [case M of {trace, Other, A, B} -> {trace, other, A, B}; _ -> M end || M <- Got]}.

control_word() ->
    Old = erlang:system_flag(trace_control_word, 17),
    Result = traced([call],
                    fun() -> set(inner, 1, [{'_', [{'=:=', {get_tcw}, 17}], [{set_tcw, 18}]}],
                                 [local]) end,
                    fun() -> inner(1), inner(2) end),
    {Old, Result, erlang:system_info(trace_control_word),
     erlang:system_flag(trace_control_word, Old)}.

timeouts() ->
    traced(['receive'], fun() -> ok end, fun() -> receive never -> ok after 5 -> ok end end).

lost_link() ->
    {_, Got} = traced([procs], fun() -> ok end,
                      fun() -> Ref = element(2, spawn_opt(fun() -> ok end, [link, monitor])),
                               receive {'DOWN', Ref, _, _, _} -> ok end,
                               receive after 10 -> ok end end),
    [element(3, M) || M <- Got].

linked() ->
    [begin
         Other = spawn(fun() -> receive stop -> ok end end),
         Result = traced([Flag, procs], fun() -> ok end,
                         fun() -> link(Other), unlink(Other) end),
         Flags = erlang:trace_info(Other, flags),
         exit(Other, kill),
         {length(element(2, Result)), Flags}
     end || Flag <- [set_on_link, set_on_first_link]].

%% A new process sends two messages before it starts: that it was made, and that it was linked.
linked_child() ->
    {_, Got} = traced([procs, set_on_spawn], fun() -> ok end,
                      fun() -> Pid = spawn_link(fun() -> receive stop -> ok end end),
                               unlink(Pid), Ref = monitor(process, Pid), Pid ! stop,
                               receive {'DOWN', Ref, _, _, _} -> ok end end),
    lists:sort([element(3, M) || M <- Got]).

global_ends_all() ->
    set(inner, 1, true, [local]),
    set(inner, 1, true, [meta]),
    Before = erlang:trace_info({?MODULE, inner, 1}, traced),
    N = set(inner, 1, true, [global]),
    After = [erlang:trace_info({?MODULE, inner, 1}, Item) || Item <- [traced, meta]],
    clear(),
    {Before, N, After}.

%% How functions of modules that will be loaded are traced.
to_be_loaded() ->
    Items = [traced, match_spec, meta, meta_match_spec, call_count, all],
    Self = self(),
    Shown = fun() -> [case erlang:trace_info(on_load, Item) of
                          {Item, Self} -> {Item, self};
                          {all, All} when is_list(All) -> lists:keyreplace(Self, 2, All, {meta, self});
                          Other -> Other
                      end || Item <- Items] end,
    [{How, ?TRY(erlang:trace_pattern(on_load, ?ID(Spec), Flags)), Shown()}
     || {Spec, Flags} = How <- [{true, []}, {[{'_', [], []}], [local]}, {true, [global]}, {false, []},
                                {true, [local, call_count]}, {true, [call_count]}, {true, [meta]},
                                {false, [meta]}, {false, [local]}, {true, [local]},
                                {false, [global]}, {false, [call_count]}, {pause, [call_count]},
                                {true, [foo]}, {true, [local]},
                                {false, [meta, call_count, local]}]].

%% Only modules that are loaded from then on, and until the pattern is taken away.
loading() ->
    Code = fun(Name) ->
                   Forms = [{attribute, 1, module, Name}, {attribute, 1, export, [{f, 0}]},
                            {function, 1, f, 0, [{clause, 1, [], [], [{call, 1, {atom, 1, g}, []}]}]},
                            {function, 1, g, 0, [{clause, 1, [], [], [{atom, 1, ok}]}]}],
                   {ok, Name, Bytes} = compile:forms(Forms, []),
                   Bytes
           end,
    Load = fun(Name) ->
                   Bytes = Code(Name),
                   code:purge(Name),
                   {module, Name} = code:load_binary(Name, "t_trace_loading", Bytes),
                   [[erlang:trace_info({Name, F, 0}, Item) || F <- [f, g]]
                    || Item <- [traced, call_count]]
           end,
    First = Load(t_trace_loading1),
    0 = erlang:trace_pattern(on_load, true, [local, call_count]),
    Second = Load(t_trace_loading2),
    Anew = Load(t_trace_loading1),
    0 = erlang:trace_pattern(on_load, false, [local, call_count]),
    0 = erlang:trace_pattern(on_load, true, []),
    Third = Load(t_trace_loading3),
    Calls = traced([call], fun() -> ok end,
                   fun() -> [M:f() || M <- [t_trace_loading2, t_trace_loading3]] end),
    0 = erlang:trace_pattern(on_load, false, []),
    Last = Load(t_trace_loading4),
    {First, Second, Anew, Third, Calls, Last}.

loaded_anew() ->
    Load = fun() ->
                   Forms = [{attribute, 1, module, t_trace_new}, {attribute, 1, export, [{f, 0}]},
                            {function, 1, f, 0, [{clause, 1, [], [], [{atom, 1, ok}]}]}],
                   {ok, Name, Code} = compile:forms(Forms, []),
                   code:purge(Name),
                   {module, Name} = code:load_binary(Name, "t_trace_new", Code)
           end,
    Load(),
    1 = erlang:trace_pattern({t_trace_new, f, 0}, true, [local]),
    Set = erlang:trace_info({t_trace_new, f, 0}, traced),
    Load(),
    {Set, erlang:trace_info({t_trace_new, f, 0}, traced)}.

uncaught_throw() ->
    logger:set_primary_config(level, none),
    Result = traced([call], fun() -> set(thrower, 1, [{'_', [], [{exception_trace}]}], [local]) end,
                    fun() -> thrower(1) end),
    logger:set_primary_config(level, notice),
    Result.

info() ->
    set(inner, 1, [{'_', [], []}], [meta]),
    set(outer, 1, true, [local]),
    Self = self(),
    All = [{Item, case erlang:trace_info({?MODULE, F, 1}, Item) of
                      {_, Self} -> self;
                      {_, Value} -> Value
                  end}
           || F <- [inner, outer, work],
              Item <- [traced, match_spec, meta, meta_match_spec, call_count]],
    clear(),
    All.

dead_meta_tracer() ->
    Tracer = spawn(fun() -> receive stop -> ok end end),
    set(inner, 1, true, [{meta, Tracer}]),
    Ref = monitor(process, Tracer),
    Tracer ! stop,
    receive {'DOWN', Ref, _, _, _} -> ok end,
    inner(1),
    Shown = erlang:trace_info({?MODULE, inner, 1}, meta),
    clear(),
    Shown.

wrong() ->
    [?TRY(erlang:trace_pattern({?MODULE, inner, 1}, Spec, Flags))
     || {Spec, Flags} <- [{pause, [local]}, {true, [xyz]}, {true, [{meta, x}]}, {xyz, [local]},
                          {pause, []}, {true, [local | x]}]].

%% The order of the flags is not that of the call.
order_of_flags() ->
    Pid = spawn(fun() -> receive stop -> ok end end),
    1 = erlang:trace(Pid, true, [send, 'receive', call, procs, arity, return_to, silent,
                                 set_on_spawn, set_on_first_spawn, set_on_link,
                                 set_on_first_link, timestamp, monotonic_timestamp,
                                 strict_monotonic_timestamp]),
    Flags = erlang:trace_info(Pid, flags),
    exit(Pid, kill),
    Flags.

twice(X) -> inner(X), ?MODULE:inner(X).

%% Only calls of processes with the flag `call` count, while their tracer is there.
times() ->
    Tracer = spawn(fun() -> receive stop -> ok end end),
    [set(F, 1, true, [call_time]) || F <- [twice, inner]],
    twice(1),
    None = shown_times(),
    erlang:trace(self(), true, [call, {tracer, Tracer}]),
    twice(1),
    First = shown_times(),
    set(twice, 1, pause, [call_time]),
    twice(1),
    Paused = shown_times(),
    set(twice, 1, restart, [call_time]),
    twice(1),
    Again = shown_times(),
    set(inner, 1, true, [call_time, call_count]),
    inner(1),
    set(inner, 1, pause, [call_count]),
    inner(1),
    Both = {shown_times(), erlang:trace_info({?MODULE, inner, 1}, call_count)},
    Ref = monitor(process, Tracer),
    Tracer ! stop,
    receive {'DOWN', Ref, _, _, _} -> ok end,
    inner(1),
    Gone = shown_times(),
    clear(),
    {None, First, Paused, Again, Both, Gone, shown_times()}.

shown_times() ->
    [case erlang:trace_info({?MODULE, F, 1}, call_time) of
         {call_time, List} when is_list(List) -> [{Pid =:= self(), N, S} || {Pid, N, S, _} <- List];
         Other -> Other
     end || F <- [twice, inner]].

wrong_counting() ->
    R = [?TRY(erlang:trace_pattern({?MODULE, inner, 1}, Spec, Flags))
         || Kind <- [call_time, call_count],
            {Spec, Flags} <- [{true, [global, Kind]}, {[{'_', [], []}], [Kind]}, {[], [Kind]},
                              {[{'_', [], []}], [local, Kind]}, {pause, [local]}]],
    clear(),
    R.

%% Only the function that called the native one shows where it goes on.
handles(X) -> Y = (catch atom_to_list(tlib:id(X))), tlib:id(Y).
passes(X) -> Y = (catch deeper(X)), tlib:id(Y).
deeper(X) -> Y = atom_to_list(tlib:id(X)), tlib:id(Y).

caught_natives() ->
    Spec = [{'_', [], [{exception_trace}]}],
    [traced([call, return_to],
            fun() -> erlang:trace_pattern({erlang, atom_to_list, 1}, Spec, [local]) end,
            fun() -> ?MODULE:F(X) end) || F <- [handles, passes], X <- [a, 1]].

calls_undefined(X) -> Y = (catch no_such_module:f(X)), tlib:id(Y).

%% The error handler is Erlang code.
undefined_call() ->
    Spec = [{'_', [], [{exception_trace}]}],
    [traced([call, return_to],
            fun() -> [erlang:trace_pattern({erlang, F, A}, Spec, [local])
                      || {F, A} <- Natives] end,
            fun() -> calls_undefined(X) end)
     || Natives <- [[{error, 1}], [{error, 1}, {raise, 3}]], X <- [1]].

%% Neither ends the other.
local_and_global() ->
    [begin
         N = erlang:trace_pattern(Mfa, true, One),
         N = erlang:trace_pattern(Mfa, false, Other),
         Info = {erlang:trace_info(Mfa, traced), erlang:trace_info(Mfa, meta),
                 erlang:trace_info(Mfa, all)},
         [erlang:trace_pattern(Mfa, false, Flags) || Flags <- [[local], []]],
         {Mfa, One, Other, Info}
     end || Mfa <- [{?MODULE, inner, 1}, {erlang, whereis, 1}], One <- [[local], [], [global]],
            Other <- [[local], [], [global]]].

%% Counters and meta tracing end the tracing of global calls.
global_ends() ->
    [begin
         N = erlang:trace_pattern(Mfa, true, One),
         N = erlang:trace_pattern(Mfa, true, [Kind]),
         Info = [erlang:trace_info(Mfa, Item) || Item <- [traced, match_spec, call_count]],
         [erlang:trace_pattern(Mfa, false, Flags) || Flags <- [[local, Kind], []]],
         {Mfa, One, Kind, Info}
     end || Mfa <- [{?MODULE, inner, 1}, {erlang, whereis, 1}], One <- [[local], [], [global]],
            Kind <- [meta, call_count, call_time]].

call_before_meta() ->
    traced([call], fun() -> set(inner, 1, true, [local, meta]) end, fun() -> inner(1) end).

waits(0) -> ok;
waits(N) -> receive x -> ok end, waits(N - 1).
takes_turns(_) -> receive go -> ok end, waits(2), erlang:yield(), receive after 5 -> ok end, exit(bye).

%% A message that does not match wakes the process, too.
turns() ->
    [begin
         {P, M} = spawn_monitor(?MODULE, takes_turns, [1]),
         timer:sleep(10),
         erlang:trace(P, true, Flags),
         {flags, Shown} = erlang:trace_info(P, flags),
         timer:sleep(10),
         _ = flush(),
         [begin P ! Message, timer:sleep(10) end || Message <- [go, x, y, x]],
         receive {'DOWN', M, _, _, _} -> ok end,
         {Shown, [setelement(2, Message, traced) || Message <- flush()]}
     end || Flags <- [[running], [running_procs], [running, procs, call, arity]]].

collections() ->
    P = spawn(fun Loop() ->
                      receive
                          major -> erlang:garbage_collect();
                          minor -> erlang:garbage_collect(self(), [{type, minor}])
                      end,
                      Loop()
              end),
    erlang:garbage_collect(P),
    erlang:trace(P, true, [garbage_collection]),
    Flags = erlang:trace_info(P, flags),
    Seen = [begin
                Ask(),
                timer:sleep(10),
                [First, Second | _] = flush(), % the real one may do more than was asked for
                {shape(First), shape(Second)}
            end || Ask <- [fun() -> P ! major end, fun() -> P ! minor end,
                           fun() -> erlang:garbage_collect(P) end,
                           fun() -> erlang:garbage_collect(P, [{type, minor}]) end]],
    exit(P, kill),
    {Flags, Seen}.

shape({trace, _, Tag, Info}) -> {Tag, [Key || {Key, Value} <- Info, is_integer(Value)]}.
