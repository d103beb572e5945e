%% Counts of references: to the code of a fun, to the names of nodes.
-module(t_census).
-export([fun_counts/0, fun_without_code/0, fun_in_table/0, fun_elsewhere/0, fun_of_two_versions/0,
         external_fun/0, node_counts/0, node_names/0, no_nodes_left/0, nodes_of_specs/0,
         nodes_in_tables/0, nodes_in_timers/0, two_starts/0]).
-include("t.hrl").

%% What OTP 26 and later count has not been measured.
-define(BEFORE_26(Do), case list_to_integer(erlang:system_info(otp_release)) < 26 of
                           true -> Do;
                           false -> skipped
                       end).

refc(Fun) -> element(2, erlang:fun_info(Fun, refc)).
adder(N) -> fun(X) -> X + N end.
constant() -> fun() -> ok end.

fun_counts() ->
    ?BEFORE_26(begin
                   F = adder(tlib:id(1)),
                   One = refc(F),
                   G = adder(tlib:id(2)),
                   Two = refc(F),
                   3 = F(2) + G(-2),
                   erlang:garbage_collect(),
                   Left = refc(G),
                   C = tlib:id(constant()),
                   D = tlib:id(constant()),
                   {One, Two, Left, refc(C), G(0), [C(), D()]}
               end).

external_fun() -> [erlang:fun_info(fun lists:map/2, refc), ?TRY(erlang:fun_info(x, refc))].

fun_without_code() ->
    ?BEFORE_26(begin
                   F = adder(tlib:id(1)),
                   Bytes = term_to_binary(F),
                   Copy = binary_to_term(Bytes),
                   Missing = binary_to_term(binary:replace(Bytes, <<"t_census">>, <<"t_nowhere">>,
                                                           [global])),
                   {refc(F), refc(Copy), is_function(Missing)}
               end).

fun_in_table() ->
    ?BEFORE_26([fun_in_table(Type) || Type <- [set, ordered_set, bag, duplicate_bag]]).

fun_in_table(Type) ->
    erlang:garbage_collect(),
    F = fun(X) -> {Type, X} end,
    Table = ets:new(t, [Type]),
    Start = refc(F),
    ets:insert(Table, {a, F}),
    Inserted = refc(F),
    [{a, G}] = ets:lookup(Table, a),
    Found = refc(F),
    ets:insert(Table, {a, other}),
    Replaced = refc(F),
    ets:insert(Table, {b, [F, F]}),
    Twice = refc(F),
    ets:delete(Table),
    {Start, Inserted, Found, Replaced, Twice, refc(F), F(1) =:= G(1)}.

fun_elsewhere() ->
    ?BEFORE_26(begin
                   F = adder(tlib:id(1)),
                   Pid = spawn_link(fun() -> receive stop -> ok end end),
                   Pid ! {F, F},
                   Sent = refc(F),
                   persistent_term:put(?MODULE, F),
                   Kept = refc(F),
                   Timer = erlang:send_after(100000, Pid, F),
                   Timed = refc(F),
                   erlang:cancel_timer(Timer),
                   unlink(Pid),
                   exit(Pid, kill),
                   Ref = monitor(process, Pid),
                   receive {'DOWN', Ref, _, _, _} -> ok end,
                   persistent_term:erase(?MODULE),
                   {Sent, Kept, Timed, F(1)}
               end).

fun_of_two_versions() ->
    ?BEFORE_26(begin
                   Name = t_census_loaded,
                   Forms = [{attribute, 1, module, Name}, {attribute, 1, export, [{f, 0}]},
                            {function, 1, f, 0, [{clause, 1, [], [],
                             [{'fun', 1, {clauses, [{clause, 1, [], [], [{atom, 1, ok}]}]}}]}]}],
                   {ok, Name, Code} = compile:forms(Forms, []),
                   {module, Name} = code:load_binary(Name, "", Code),
                   F = Name:f(),
                   One = refc(F),
                   {module, Name} = code:load_binary(Name, "", Code),
                   Two = refc(F),
                   G = Name:f(),
                   Three = refc(G),
                   {One, Two, Three, F =:= G, F()}
               end).

%% ---- nodes ----

pid(Node, Creation) ->
    Name = atom_to_list(Node),
    binary_to_term(list_to_binary([131, $X, 100, <<(length(Name)):16>>, Name,
                                   <<17:32, 3:32, Creation:32>>])).

inside(Do) ->
    Old = erts_debug:set_internal_state(available_internal_state, true),
    Result = try Do() after erts_debug:set_internal_state(available_internal_state, Old) end,
    Result.

%% Those of nodes with this name; what differs from run to run is left out.
references(Node) ->
    {{node_references, Starts}, {dist_references, Names}} =
        erts_debug:get_internal_state(node_and_dist_references),
    {lists:sort([{Creation, Count, lists:sort([{element(1, Who), counted(Counts)}
                                               || {Who, Counts} <- Referrers])}
                 || {{N, Creation}, Count, Referrers} <- Starts, N =:= Node]),
     [{Count, lists:sort(Referrers)} || {N, Count, Referrers} <- Names, N =:= Node]}.

%% All counts but those of heaps, which garbage has a part in.
counted(Counts) -> lists:sort([{What, N} || {What, N} <- Counts, What =/= heap]).

node_counts() ->
    ?BEFORE_26(inside(fun() ->
        Own = references(node()),
        Pid = pid(t1@nowhere, 7),
        Held = references(t1@nowhere),
        {Own, Held, node(Pid)}
    end)).

node_names() ->
    Pid = pid(t2@nowhere, 7),
    {lists:member(t2@nowhere, nodes(known)), lists:member(node(), nodes(known)),
     lists:member(t2@nowhere, nodes()), lists:member(t3@nowhere, nodes(known)), node(Pid)}.

no_nodes_left() ->
    ?BEFORE_26(inside(fun() ->
        ok = erts_debug:set_internal_state(node_tab_delayed_delete, 0),
        {Pid, Ref} = spawn_monitor(fun() -> exit({node, node(pid(t4@nowhere, 8))}) end),
        receive {'DOWN', Ref, process, Pid, _} -> ok end,
        receive after 100 -> ok end,
        {Starts, _} = references(t4@nowhere),
        ok = erts_debug:set_internal_state(node_tab_delayed_delete, -1),
        {Starts, lists:member(t4@nowhere, nodes(known))}
    end)).

nodes_of_specs() ->
    ?BEFORE_26(inside(fun() ->
        Pid = pid(t5@nowhere, 7),
        Compiled = ets:match_spec_compile([{{Pid, [Pid], '$1'}, [], ['$1']}]),
        Shown = references(t5@nowhere),
        {Shown, ets:match_spec_run([{Pid, [Pid], x}], Compiled)}
    end)).

nodes_in_tables() ->
    ?BEFORE_26(inside(fun() ->
        Pid = pid(t6@nowhere, 7),
        Table = ets:new(t, []),
        ets:insert(Table, [{a, Pid}, {Pid, [Pid | Pid]}]),
        Full = references(t6@nowhere),
        ets:delete(Table, Pid),
        Less = references(t6@nowhere),
        ets:delete_all_objects(Table),
        Empty = references(t6@nowhere),
        persistent_term:put(Pid, {Pid}),
        Kept = references(t6@nowhere),
        persistent_term:erase(Pid),
        {Full, Less, Empty, Kept, node(Pid)}
    end)).

nodes_in_timers() ->
    ?BEFORE_26(inside(fun() ->
        Pid = pid(t7@nowhere, 7),
        Other = spawn(fun() -> receive stop -> ok end end),
        _ = erlang:send_after(100000, Other, [Pid, Pid]),
        T2 = erlang:start_timer(100000, self(), Pid),
        T3 = erlang:send_after(100000, t_census_nobody, {Pid}),
        Three = references(t7@nowhere),
        exit(Other, kill),
        Ref = monitor(process, Other),
        receive {'DOWN', Ref, _, _, _} -> ok end,
        Two = references(t7@nowhere),
        erlang:cancel_timer(T2),
        erlang:cancel_timer(T3),
        {Three, Two, references(t7@nowhere), node(Pid)}
    end)).

two_starts() ->
    ?BEFORE_26(inside(fun() ->
        Pids = [pid(t8@nowhere, C) || C <- [7, 8, 8]],
        Shown = references(t8@nowhere),
        {[{Creation, Referrers} || {Creation, _, Referrers} <- element(1, Shown)],
         element(2, Shown), [node(P) || P <- Pids]}
    end)).
