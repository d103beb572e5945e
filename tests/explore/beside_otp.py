"""Operations on OTP's behaviours for tests/explore/beside: supervisors, state machines, event managers.

A program has the form of those of beside_programs.py. The supervisor sup has two servers, c1 and
c2; door is a gen_statem, events a gen_event. All callbacks are in the module of the programs.
"""

# weight, expression. {c} a server of the supervisor, {v} a number, {p} a process.
OPERATIONS = [
    (4, "gen_server:call({c}, {{add, {v}}}, infinity)"),
    (3, "gen_server:cast({c}, {{add, {v}}})"),
    (3, "gen_server:call({c}, crash, infinity)"),
    (2, "gen_server:cast({c}, crash)"),
    (3, "exit(whereis({c}), {e})"),
    (2, "gen_server:stop({c})"),
    (2, "is_pid(whereis({c}))"),
    (2, "[{{I, is_pid(Q)}} || {{I, Q, _, _}} <- supervisor:which_children(sup)]"),
    (2, "supervisor:count_children(sup)"),
    (3, "supervisor:terminate_child(sup, {c})"),
    (3, "element(1, supervisor:restart_child(sup, {c}))"),
    (1, "supervisor:delete_child(sup, {c})"),
    (2, "element(1, supervisor:start_child(sup, child(c3, {w})))"),
    (1, "exit(whereis(sup), {e})"),
    (1, "gen_server:stop(sup)"),
    (4, "gen_statem:call(door, push)"),
    (3, "gen_statem:call(door, {{later, {v}}})"),
    (2, "gen_statem:cast(door, push)"),
    (2, "gen_statem:cast(door, {{arm, {a}}})"),
    (2, "element(1, sys:get_state(door))"),
    (1, "gen_statem:stop(door)"),
    (3, "gen_event:notify(events, {{add, {v}}})"),
    (3, "gen_event:sync_notify(events, {{add, {v}}})"),
    (3, "gen_event:call(events, {h}, get)"),
    (2, "gen_event:add_handler(events, {h}, {v})"),
    (2, "gen_event:delete_handler(events, {h}, gone)"),
    (2, "gen_event:which_handlers(events)"),
    (1, "gen_event:notify(events, crash)"),
    (2, "element(1, timer:send_after({a}, {p}, {{m, {v}}}))"),
    (1, "element(1, timer:kill_after({a}, {p}))"),
    (2, "is_reference(erlang:start_timer({a}, {p}, {v}))"),
    (2, "receive {{m, V}} -> V; {{timeout, _, V}} -> {{timeout, V}} after {a} -> none end"),
    (2, "{p} ! {{m, {v}}}"),
    (3, "global:register_name(g, self())"),
    (3, "is_pid(global:whereis_name(g))"),
    (2, "global:unregister_name(g)"),
    (2, "global:trans({{lock, self()}}, fun() -> y(), got end, [node()], 0)"),
    (1, "erpc:call(node(), gen_server, call, [{c}, {{add, {v}}}, infinity])"),
    (2, "element(1, proc_lib:start(?MODULE, acked, [{v}]))"),
    (1, "exit({p}, {e})"),
]

CHOICES = {"c": ["c1", "c1", "c2"], "v": ["1", "2"], "a": ["0", "1"], "e": ["kill", "oops", "shutdown"],
           "w": ["permanent", "temporary", "transient"], "h": ["{?MODULE, 1}", "{?MODULE, 1}", "{?MODULE, 2}"]}

# What an operation needs (a part of its text): how it is made, and how its last state is seen.
OBJECTS = [
    ((" c1", "(c1", "(c2", "[c1", "[c2", "(sup"), "start_sup({strategy}, {restart})",
     "[last(c1), last(c2), is_pid(whereis(sup))]"),
    (("(door",), "{{ok, _}} = gen_statem:start({{local, door}}, ?MODULE, door, [])",
     "try element(1, sys:get_state(door)) catch _:_ -> none end"),
    (("(events",), "{{ok, _}} = gen_event:start({{local, events}}), "
     "gen_event:add_handler(events, {{?MODULE, 1}}, 0)",
     "try gen_event:call(events, {{?MODULE, 1}}, get) catch _:_ -> none end"),
    (("global:",), "ok", "is_pid(global:whereis_name(g))"),
]

WORDS = {"strategy": ["one_for_one", "one_for_one", "one_for_all", "rest_for_one"],
         "restart": ["permanent", "permanent", "transient", "temporary"]}

HELP = """
clean() -> timer:start(), global:unregister_name(g).
last(Server) -> try gen_server:call(Server, get, infinity) catch _:_ -> none end.
start_sup(Strategy, Restart) ->
    {ok, Sup} = supervisor:start_link({local, sup}, ?MODULE, {sup, Strategy, Restart}),
    unlink(Sup).
child(Name, Restart) ->
    #{id => Name, start => {gen_server, start_link, [{local, Name}, ?MODULE, 0, []]},
      restart => Restart}.
acked(V) -> y(), proc_lib:init_ack({ok, self()}), y(), exit(V).
init({sup, Strategy, Restart}) ->
    {ok, {#{strategy => Strategy, intensity => 1, period => 5000},
          [child(c1, Restart), child(c2, Restart)]}};
init(door) -> {ok, shut, 0};
init(N) -> {ok, N}.
handle_call({add, V}, _, N) -> {reply, N, N + V};
handle_call(crash, _, N) -> {stop, oops, N, N};
handle_call(get, _, N) -> {reply, N, N}.
handle_cast({add, V}, N) -> {noreply, N * 10 + V};
handle_cast(crash, N) -> {stop, oops, N}.
handle_info(_, N) -> {noreply, N}.
callback_mode() -> state_functions.
shut({call, From}, push, N) -> {next_state, open, N + 1, [{reply, From, N}]};
shut({call, From}, {later, V}, N) -> {keep_state, N, [{reply, From, {V, N}}]};
shut(cast, push, N) -> {next_state, open, N + 1};
shut(cast, {arm, T}, N) -> {keep_state, N, [{state_timeout, T, fired}]};
shut(state_timeout, fired, N) -> {next_state, open, N * 10};
shut(info, _, _) -> keep_state_and_data.
open({call, From}, push, N) -> {next_state, shut, N + 1, [{reply, From, N}]};
open({call, _}, {later, _}, _) -> {keep_state_and_data, [postpone]};
open(cast, push, N) -> {next_state, shut, N + 1};
open(cast, {arm, T}, _) -> {keep_state_and_data, [{state_timeout, T, fired}]};
open(state_timeout, fired, N) -> {next_state, shut, N * 10};
open(info, _, _) -> keep_state_and_data.
handle_event({add, V}, N) -> {ok, N * 10 + V}.
handle_call(get, N) -> {ok, N, N}.
terminate(_, _) -> ok.
"""


def objects_of(blocks, rng):
    """How the objects that the operations need are made, and how their last state is seen."""
    text = "\n".join(operation for block in blocks for _, operation in block)
    words = {key: rng.choice(values) for key, values in WORDS.items()}
    needed = [(make.format(**words), see.format(**words))
              for parts, make, see in OBJECTS if any(part in text for part in parts)]
    return [make for make, _ in needed], [see for _, see in needed]
