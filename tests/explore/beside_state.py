"""Operations on shared state for tests/explore/beside: tables, counters, persistent terms, servers.

A program has the form of those of beside_programs.py. Its own process makes first what its
operations need (OBJECTS), and the outcome has their state at the end, too.
"""

# weight, expression. {t} a table, {k} a key, {v} a number, {p} a process; C and A are counters and
# atomics, srv is a gen_server of the module, pgs a scope of pg.
OPERATIONS = [
    (6, "ets:insert({t}, {{{k}, {v}}})"),
    (2, "ets:insert({t}, [{{1, {v}}}, {{2, {v}}}])"),
    (4, "ets:insert_new({t}, {{{k}, {v}}})"),
    (2, "ets:insert_new({t}, [{{1, {v}}}, {{2, {v}}}])"),
    (5, "ets:lookup({t}, {k})"),
    (2, "ets:lookup_element({t}, {k}, 2)"),
    (2, "ets:member({t}, {k})"),
    (3, "ets:delete({t}, {k})"),
    (2, "ets:delete_object({t}, {{{k}, {v}}})"),
    (3, "ets:take({t}, {k})"),
    (4, "ets:update_counter({t}, {k}, {v})"),
    (3, "ets:update_counter({t}, {k}, {v}, {{{k}, 0}})"),
    (2, "ets:update_element({t}, {k}, {{2, {v}}})"),
    (2, "lists:sort(ets:tab2list({t}))"),
    (2, "ets:info({t}, size)"),
    (1, "ets:first(o)"), (1, "ets:last(o)"), (1, "ets:next(o, {k})"), (1, "ets:prev(o, {k})"),
    (2, "ets:select_delete({t}, [{{{{'$1', '_'}}, [{{'>', '$1', {k}}}], [true]}}])"),
    (2, "ets:select_count({t}, [{{{{'_', {v}}}, [], [true]}}])"),
    (2, "lists:sort(ets:match_object({t}, {{'_', {v}}}))"),
    (1, "ets:select_replace(o, [{{{{'$1', {v}}}, [], [{{{{'$1', 3}}}}]}}])"),
    (1, "ets:delete_all_objects({t})"),
    (1, "ets:match_delete({t}, {{'_', {v}}})"),
    (1, "ets:delete({t})"),
    (1, "ets:whereis({t}) =/= undefined"),
    (1, "ets:rename({t}, {t})"),
    (1, "ets:give_away({t}, {p}, gift)"),
    (1, "ets:setopts({t}, {{heir, {p}, gift}})"),
    (1, "ets:info({t}, owner) =:= self()"),
    (1, "receive {{'ETS-TRANSFER', N, _, G}} -> {{N, G}} after {a} -> none end"),
    (3, "counters:add(C, 1, {v})"),
    (2, "counters:put(C, 1, {v})"),
    (3, "counters:get(C, 1)"),
    (3, "atomics:add_get(A, 1, {v})"),
    (3, "atomics:compare_exchange(A, 1, 0, {v})"),
    (2, "atomics:exchange(A, 1, {v})"),
    (2, "atomics:sub(A, 1, {v})"),
    (3, "atomics:get(A, 1)"),
    (2, "persistent_term:put({{fermata, {k}}}, {v})"),
    (2, "persistent_term:get({{fermata, {k}}}, none)"),
    (1, "persistent_term:erase({{fermata, {k}}})"),
    (4, "gen_server:call(srv, {{add, {v}}}, infinity)"),
    (2, "gen_server:call(srv, {{later, {v}}}, infinity)"),
    (3, "gen_server:call(srv, get, infinity)"),
    (3, "gen_server:cast(srv, {{set, {v}}})"),
    (2, "srv ! {{info, {v}}}"),
    (1, "gen_server:call(srv, stop, infinity)"),
    (1, "gen_server:stop(srv)"),
    (1, "exit(whereis(srv), kill)"),
    (1, "element(1, gen_server:start({{local, srv}}, ?MODULE, {v}, []))"),
    (1, "is_pid(whereis(srv))"),
    (1, "sys:get_state(srv)"),
    (2, "application:set_env(fermata, {k}, {v})"),
    (2, "application:get_env(fermata, {k})"),
    (1, "application:unset_env(fermata, {k})"),
    (2, "pg:join(pgs, {k}, self())"),
    (1, "pg:leave(pgs, {k}, self())"),
    (2, "length(pg:get_members(pgs, {k}))"),
    (1, "lists:sort(pg:which_groups(pgs))"),
    (2, "{p} ! {{m, {v}}}"),
    (2, "receive {{m, V}} -> V after {a} -> none end"),
    (1, "exit({p}, {e})"),
]

CHOICES = {"t": ["t", "t", "o", "b"], "k": ["1", "1", "2"], "v": ["1", "2"], "a": ["0", "0", "1"],
           "e": ["kill", "oops", "normal"]}

# What an operation needs (a part of its text): how it is made, and how its last state is seen.
OBJECTS = [
    (("(t, ", "(t)"), "ets:new(t, [named_table, public])", "left(t)"),
    (("(o, ", "(o)"), "ets:new(o, [named_table, public, ordered_set])", "left(o)"),
    (("(b, ", "(b)"), "ets:new(b, [named_table, public, bag])", "left(b)"),
    (("(C, ",), "C = counters:new(1, [])", "counters:get(C, 1)"),
    (("(A, ",), "A = atomics:new(1, [])", "atomics:get(A, 1)"),
    (("persistent_term:",), "ok",
     "[persistent_term:get({fermata, K}, none) || K <- [1, 2]]"),
    (("srv",), "{ok, _} = gen_server:start({local, srv}, ?MODULE, 0, [])",
     "try gen_server:call(srv, get, infinity) catch _:_ -> none end"),
    (("application:",), "ok", "[application:get_env(fermata, K) || K <- [1, 2]]"),
    (("pgs",), "{ok, _} = pg:start(pgs)",
     "[length(pg:get_members(pgs, G)) || G <- lists:sort(pg:which_groups(pgs))]"),
]

HELP = """
left(Table) -> try lists:sort(ets:tab2list(Table)) catch _:_ -> none end.
init(N) -> {ok, N}.
handle_call({add, V}, _, N) -> {reply, N, N + V};
handle_call({later, V}, From, N) -> spawn(fun() -> gen_server:reply(From, V) end), {noreply, N};
handle_call(get, _, N) -> {reply, N, N};
handle_call(stop, _, N) -> {stop, normal, N, N}.
handle_cast({set, V}, _) -> {noreply, V}.
handle_info({info, V}, N) -> {noreply, N * 10 + V};
handle_info(_, N) -> {noreply, N}.
%% Of the real one, before each run: what the program before it has left behind.
clean() ->
    [persistent_term:erase({fermata, K}) || K <- [1, 2]],
    [application:unset_env(fermata, K) || K <- [1, 2]],
    [await_gone(T) || T <- [t, o, b, pgs]].
await_gone(Table) ->
    case ets:whereis(Table) of
        undefined -> ok;
        _ -> erlang:yield(), await_gone(Table)
    end.
"""


def objects_of(blocks, _):
    """How the objects that the operations need are made, and how their last state is seen."""
    text = "\n".join(operation for block in blocks for _, operation in block)
    needed = [(make, see) for words, make, see in OBJECTS if any(word in text for word in words)]
    return [make for make, _ in needed], [see for _, see in needed]
