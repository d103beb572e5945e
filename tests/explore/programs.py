"""Makes small random Erlang programs whose processes get in each other's way.

A program is plain data: a head (the sorts of its tables, how processes end, whether it is small)
and a list of blocks, the test's own process first. A block is a list of operations:

    (number, text)               the expression, its value remembered under the number
    (number, earlier, block)     the block, if the value of the earlier number was something

Values are remembered in the process dictionary, which nobody else sees. A process that ends tells
them to the test's own, in its last message or as the reason of its exit; that one prints them, so
an outcome is what everybody has seen. Everything that fails is caught. Processes may wait for
ever, and kill each other.
"""

import random

# weight, expression. {p} a process, {n} a name, {t} a table, {k} a key, {v} a number, {g} a tag,
# {r} an earlier number (for references), {a} how long to wait, {i} an item of process_info.
OPERATIONS = [
    (8, "{p} ! {{{g}, {v}, x}}"),
    (3, "{n} ! {{{g}, {v}, x}}"),
    (2, "{p} ! {{{g}, get({r}), x}}"),
    (5, "receive {{{g}, V, _}} -> V after {a} -> none end"),
    (5, "receive {{_, V, _}} -> V after {a} -> none end"),
    (2, "receive {{{g}, {v}, _}} -> same; {{{g}, V, _}} -> V after {a} -> none end"),
    (1, "receive {{'EXIT', _, V}} -> V after {a} -> none end"),
    (1, "receive {{'DOWN', _, _, _, V}} when {d} -> V after {a} -> none end"),
    (4, "ets:insert({t}, {{{k}, {v}}})"),
    (1, "ets:insert({t}, [{{k1, {v}}}, {{k2, {v}}}])"),
    (3, "ets:lookup({t}, {k})"),
    (2, "ets:insert_new({t}, {{{k}, {v}}})"),
    (1, "ets:insert_new({t}, [{{k1, {v}}}, {{k2, {v}}}])"),
    (2, "ets:delete({t}, {k})"),
    (1, "ets:delete_object({t}, {{{k}, {v}}})"),
    (1, "ets:delete_all_objects({t})"),
    (1, "ets:delete({t})"),
    (1, "ets:member({t}, {k})"),
    (1, "ets:lookup_element({t}, {k}, 2)"),
    (1, "ets:update_element({t}, {k}, {{2, {v}}})"),
    (2, "ets:update_counter({t}, {k}, 1)"),
    (2, "ets:update_counter({t}, {k}, 1, {{{k}, 0}})"),
    (2, "ets:tab2list({t})"),
    (1, "ets:info({t}, size)"),
    (1, "ets:first({t})"),
    (1, "ets:next({t}, {k})"),
    (1, "ets:match_delete({t}, {{'_', {v}}})"),
    (1, "ets:select_count({t}, [{{{{{k}, '_'}}, [], [true]}}])"),
    (2, "ets:take({t}, {k})"),
    (1, "ets:last({t})"),
    (1, "ets:prev({t}, {k})"),
    (1, "ets:slot({t}, 0)"),
    (1, "ets:match_object({t}, {{'_', {v}}})"),
    (1, "ets:select({t}, [{{{{'$1', '_'}}, [], ['$1']}}])"),
    (1, "ets:select_delete({t}, [{{{{{k}, '_'}}, [], [true]}}])"),
    (1, "ets:select_replace({t}, [{{{{'$1', {v}}}, [], [{{{{'$1', 0}}}}]}}])"),
    (1, "ets:foldl(fun(X, L) -> [X | L] end, [], {t})"),
    (1, "ets:give_away({t}, {p}, x)"),
    (1, "ets:setopts({t}, {{heir, {p}, x}})"),
    (1, "ets:safe_fixtable({t}, {b})"),
    (1, "ets:rename({t}, t2)"),
    (1, "ets:new(t2, [named_table, public])"),
    (1, "ets:info({t}, owner)"),
    (1, "ets:whereis(t2)"),
    (3, "register({n}, {p})"),
    (2, "unregister({n})"),
    (2, "whereis({n})"),
    (1, "lists:member({n}, registered())"),
    (1, "length(processes())"),
    (1, "erlang:suspend_process({p})"),
    (1, "erlang:resume_process({p})"),
    (1, "group_leader({p}, {p})"),
    (1, "is_pid(spawn(fun() -> {p} ! {{{g}, {v}, x}} end))"),
    (1, "is_pid(spawn_link(fun() -> exit({e}) end))"),
    (1, "element(2, spawn_monitor(fun() -> exit({e}) end))"),
    (1, "erlang:send({p}, {{{g}, {v}, x}}, [nosuspend])"),
    (2, "link({p})"),
    (1, "unlink({p})"),
    (2, "monitor(process, {p})"),
    (1, "monitor(process, {n})"),
    (2, "demonitor(get({r}), {o})"),
    (3, "exit({p}, {e})"),
    (2, "process_flag(trap_exit, {b})"),
    (2, "is_process_alive({p})"),
    (2, "process_info({p}, message_queue_len)"),
    (1, "process_info({p}, registered_name)"),
    (1, "length(element(2, process_info({p}, links)))"),
    (1, "process_info({p}, status)"),
    (2, "erlang:send_after({w}, {p}, {{{g}, {v}, x}})"),
    (1, "erlang:send_after({w}, {n}, {{{g}, {v}, x}})"),
    (1, "erlang:start_timer({w}, {p}, {v})"),
    (2, "erlang:cancel_timer(get({r}))"),
    (1, "erlang:cancel_timer(get({r}), [{{async, true}}, {{info, {b}}}])"),
    (1, "erlang:read_timer(get({r}))"),
    (1, "receive {{timeout, _, V}} -> V after {a} -> none end"),
    (1, "receive after {w} -> ok end"),
    (1, "erlang:yield()"),
    (1, "erlang:monotonic_time(millisecond)"),
    (1, "erlang:unique_integer([monotonic])"),
    (1, "get({r}) ! {{{g}, {v}, x}}"),
    (1, "alias()"),
    (1, "alias([reply])"),
    (1, "monitor(process, {p}, [{{alias, demonitor}}])"),
    (1, "monitor(process, {p}, [{{alias, explicit_unalias}}])"),
    (1, "unalias(get({r}))"),
    (1, "monitor(process, {p}, [{{alias, reply_demonitor}}])"),
    (1, "process_info({p}, messages)"),
    (1, "length(element(2, process_info({p}, monitors)))"),
    (1, "length(element(2, process_info({p}, monitored_by)))"),
    (1, "process_info({p}, [message_queue_len, trap_exit])"),
    (2, "process_info({p}, {i})"),
    (1, "atomics:put(A, {c}, {v})"),
    (2, "atomics:get(A, {c})"),
    (1, "atomics:add(A, {c}, 1)"),
    (1, "atomics:add_get(A, {c}, 1)"),
    (1, "atomics:exchange(A, {c}, {v})"),
    (1, "atomics:compare_exchange(A, {c}, 0, {v})"),
    (1, "persistent_term:put({k}, {v})"),
    (2, "persistent_term:get({k}, none)"),
    (1, "persistent_term:erase({k})"),
    (1, "os:putenv(\"FERMATA_GENERATED\", \"{v}\")"),
    (1, "os:getenv(\"FERMATA_GENERATED\")"),
]

# Operations that name keys of a table in other ways, beside the table's operations of above.
TABLE_OPERATIONS = [entry for entry in OPERATIONS if "ets:" in entry[1]] + [
    (3, "ets:insert({t}, [{{k1, {v}}}, {{k3, {v}}}, {{k1, {v}}}])"),
    (2, "ets:insert({t}, [{{k1, {v}}}, {{k2, {v}}}, {{k3, {v}}}, {{k4, {v}}}])"),
    (2, "ets:insert_new({t}, [{{k2, {v}}}, {{k3, {v}}}])"),
    (2, "ets:match({t}, {{{k}, '$1'}})"),
    (2, "ets:match_object({t}, {{'_', {v}}})"),
    (2, "ets:match_object({t}, {{{k}, '_'}})"),
    (2, "ets:select({t}, [{{{{k1, '$1'}}, [], ['$1']}}, {{{{k2, '$1'}}, [], ['$1']}}])"),
    (2, "ets:match_delete({t}, {{{k}, {v}}})"),
    (2, "ets:select_delete({t}, [{{{{k1, {v}}}, [], [true]}}, {{{{k3, '_'}}, [], [true]}}])"),
    (2, "ets:select_replace({t}, [{{{{{k}, {v}}}, [], [{{{{{{{k}, 9}}}}}}]}}])"),
]

# Waiting and polling, with messages that some receives cannot take.
WAIT_OPERATIONS = [
    (6, "{p} ! {{{g}, {v}, x}}"),
    (2, "{n} ! {{{g}, {v}, x}}"),
    (6, "receive {{{g}, V, _}} -> V after 0 -> none end"),
    (3, "receive {{{g}, V, _}} -> V after 10 -> none end"),
    (2, "receive {{_, V, _}} -> V after 0 -> none end"),
    (2, "receive {{_, V, _}} -> V after {a} -> none end"),
    (2, "receive {{{g}, {v}, _}} -> same; {{{g}, V, _}} -> V after {a} -> none end"),
    (4, "receive after 10 -> slept end"),
    (2, "receive after 20 -> slept end"),
    (1, "timer:sleep({v})"),
    (2, "erlang:yield()"),
    (1, "erlang:send_after({w}, {p}, {{{g}, {v}, x}})"),
    (1, "erlang:cancel_timer(get({r}))"),
    (1, "register({n}, {p})"),
    (1, "exit({p}, {e})"),
    (1, "process_flag(trap_exit, {b})"),
    (1, "process_info({p}, message_queue_len)"),
    (1, "monitor(process, {p})"),
    (1, "demonitor(get({r}), {o})"),
    (1, "ets:insert({t}, {{{k}, {v}}})"),
    (1, "ets:lookup({t}, {k})"),
]

# Several exit signals to one process, which may trap them, of which some come too late.
EXIT_OPERATIONS = [
    (6, "link({p})"),
    (1, "unlink({p})"),
    (4, "is_pid(spawn_link(fun() -> exit({e}) end))"),
    (1, "is_pid(spawn_link(fun() -> link({p}) end))"),
    (1, "element(2, spawn_monitor(fun() -> exit({p}, {e}) end))"),
    (4, "exit({p}, {e})"),
    (3, "process_flag(trap_exit, {b})"),
    (2, "monitor(process, {p})"),
    (1, "demonitor(get({r}), {o})"),
    (3, "receive {{'EXIT', _, V}} -> V after {a} -> none end"),
    (1, "receive {{'DOWN', _, _, _, V}} when {d} -> V after {a} -> none end"),
    (1, "receive {{_, V, _}} -> V after {a} -> none end"),
    (2, "{p} ! {{{g}, {v}, x}}"),
    (1, "is_process_alive({p})"),
    (1, "length(element(2, process_info({p}, links)))"),
    (1, "register({n}, {p})"),
    (1, "{n} ! {{{g}, {v}, x}}"),
]

# Other ways to start processes, their flags, requests to them, and all that is known about them.
PROCESS_OPERATIONS = [
    (6, "{p} ! {{{g}, {v}, x}}"),
    (4, "receive {{_, V, _}} -> V after {a} -> none end"),
    (1, "erlang:send({n}, {{{g}, {v}, x}}, [noconnect])"),
    (3, "spawn_request(fun() -> {p} ! {{{g}, {v}, x}} end)"),
    (2, "spawn_request(fun() -> exit({e}) end, [{s}])"),
    (2, "spawn_request(fun() -> {p} ! {{{g}, {v}, x}} end, [{{reply, {y}}}, {s}])"),
    (1, "spawn_request_abandon(get({r}))"),
    (3, "receive {{spawn_reply, _, V, _}} -> V after {a} -> none end"),
    (2, "is_pid(spawn_opt(fun() -> exit({e}) end, [link, {{priority, {q}}}]))"),
    (2, "element(2, spawn_opt(fun() -> {p} ! {{{g}, {v}, x}} end, [{s}, monitor]))"),
    (1, "element(2, spawn_opt(fun() -> exit({e}) end, [{{monitor, [{{tag, {g}}}]}}]))"),
    (2, "monitor(process, {p}, [{{tag, {g}}}])"),
    (1, "monitor(process, {n}, [{{tag, {g}}}, {{alias, reply_demonitor}}])"),
    (1, "demonitor(get({r}), {o})"),
    (2, "link({p})"),
    (2, "exit({p}, {e})"),
    (1, "process_flag(trap_exit, {b})"),
    (2, "process_flag(priority, {q})"),
    (1, "process_flag(message_queue_data, {f})"),
    (1, "process_flag(error_handler, {g})"),
    (1, "process_flag(min_heap_size, 1000)"),
    (1, "process_flag(sensitive, {b})"),
    (3, "process_info({p}, {i})"),
    (3, "process_info({p}, {j})"),
    (1, "process_info({p}, [{i}, {j}])"),
    (1, "process_info({p}, links)"),
    (1, "length(element(2, process_info({p}, monitored_by)))"),
    (2, "erlang:garbage_collect({p})"),
    (1, "erlang:garbage_collect({p}, [{{async, {g}}}, {{type, minor}}])"),
    (1, "erlang:check_process_code({p}, lists)"),
    (1, "erlang:check_process_code({p}, lists, [{{async, {g}}}])"),
    (1, "is_process_alive({p})"),
    (1, "erlang:system_info(process_count)"),
    (1, "length(ets:all())"),
    (1, "erlang:suspend_process({p}, [unless_suspending])"),
    (1, "erlang:resume_process({p})"),
    (1, "group_leader({p}, self())"),
    (1, "group_leader()"),
    (2, "register({n}, {p})"),
    (1, "process_info({p}, registered_name)"),
    (1, "erlang:start_timer({w}, {n}, {v})"),
    (1, "erlang:cancel_timer(get({r}))"),
    (2, "counters:add(C, {c}, 1)"),
    (1, "counters:sub(C, {c}, 1)"),
    (1, "counters:put(C, {c}, {v})"),
    (2, "counters:get(C, {c})"),
    (1, "atomics:sub_get(A, {c}, 1)"),
    (1, "atomics:put(A, {c}, {v})"),
]

# A killed process, and all who could tell whether it is still there.
DEATH_OPERATIONS = [
    (6, "exit({p}, {e})"),
    (4, "is_process_alive({p})"),
    (3, "register({n}, {p})"),
    (1, "unregister({n})"),
    (2, "whereis({n})"),
    (1, "{n} ! {{{g}, {v}, x}}"),
    (1, "lists:member({n}, registered())"),
    (2, "lists:member({p}, processes())"),
    (1, "erlang:system_info(process_count)"),
    (1, "erlang:garbage_collect({p})"),
    (1, "group_leader(self(), {p})"),
    (1, "erlang:suspend_process({p})"),
    (1, "erlang:resume_process({p})"),
    (2, "process_info({p}, {i})"),
    (1, "process_info({p}, registered_name)"),
    (1, "process_info({p}, message_queue_len)"),
    (1, "monitor(process, {p})"),
    (1, "monitor(process, {n})"),
    (1, "link({p})"),
    (1, "process_flag(trap_exit, {b})"),
    (1, "ets:give_away({t}, {p}, x)"),
    (1, "ets:info({t}, owner)"),
    (1, "receive {{'EXIT', _, V}} -> V after {a} -> none end"),
    (1, "receive {{_, V, _}} -> V after {a} -> none end"),
    (1, "{p} ! {{{g}, {v}, x}}"),
]

# OTP's system processes, which work within the steps of the program: names and locks that end with
# their process, and servers that answer.
SYSTEM_OPERATIONS = [
    (4, "global:register_name({n}, {p})"),
    (1, "global:re_register_name({n}, {p})"),
    (2, "global:unregister_name({n})"),
    (4, "global:whereis_name({n})"),
    (1, "lists:member({n}, global:registered_names())"),
    (2, "global:send({n}, {{{g}, {v}, x}})"),
    (4, "global:set_lock({{{k}, {p}}}, [node()], 0)"),
    (2, "global:del_lock({{{k}, {p}}}, [node()])"),
    (2, "application:set_env(kernel, {k}, {v})"),
    (2, "application:get_env(kernel, {k})"),
    (2, "gen_server:send_request(application_controller, which_applications)"),
    (1, "logger:set_module_level({g}, {l})"),
    (1, "logger:get_module_level({g})"),
    (2, "logger:allow(debug, {g})"),
    (1, "proc_lib:spawn(fun() -> {p} ! {{{g}, {v}, x}}, exit({e}) end)"),
    (1, "erlang:send_after({w}, application_controller, {{{g}, {v}, x}})"),
    (1, "element(1, supervisor:start_child(kernel_safe_sup, #{{id => {k}, restart => temporary,"
        " start => {{proc_lib, start_link, [?MODULE, child, [{p}, {v}]]}}}}))"),
    (1, "supervisor:terminate_child(kernel_safe_sup, {k})"),
    (4, "exit({p}, {e})"),
    (1, "link({p})"),
    (1, "link(whereis(kernel_safe_sup))"),
    (1, "process_flag(trap_exit, {b})"),
    (2, "monitor(process, {p})"),
    (1, "is_process_alive({p})"),
    (1, "length(processes())"),
    (1, "[P || P <- processes(), P > S]"),
    (1, "process_info({p}, links)"),
    (1, "process_info({p}, monitored_by)"),
    (1, "is_pid(spawn(fun() -> spawn(fun() -> link({p}) end), monitor(process, {p}) end))"),
    (3, "{p} ! {{{g}, {v}, x}}"),
    (2, "receive {{_, V, _}} -> V after {a} -> none end"),
    (2, "receive V when is_tuple(V), {d} -> tuple_size(V) after {a} -> none end"),
]

# Loops that look at intervals until another process has done something, or for ever. Nobody asks for
# the time: how long a process has polled by then is an assumption of the verdict.
POLL_OPERATIONS = [
    (6, "poll({w}, fun() -> ets:member({t}, {k}) end)"),
    (3, "poll(10, fun() -> ets:lookup({t}, {k}) =:= [{{{k}, {v}}}] end)"),
    (3, "poll(10, fun() -> whereis({n}) =/= undefined end)"),
    (2, "poll(10, fun() -> not is_process_alive({p}) end)"),
    (2, "poll(10, fun() -> atomics:get(A, {c}) > 0 end)"),
    (4, "poll_for({g}, {w})"),
    (3, "poll_for_either({g}, {w})"),
    (2, "poll_now({g}, {w})"),
    (1, "process_info({p}, current_function)"),
    (2, "poll(10, 2, fun() -> ets:member({t}, {k}) end)"),
    (4, "ets:insert({t}, {{{k}, {v}}})"),
    (1, "ets:delete({t}, {k})"),
    (3, "{p} ! {{{g}, {v}, x}}"),
    (2, "register({n}, {p})"),
    (2, "atomics:put(A, {c}, {v})"),
    (2, "receive {{{g}, V, _}} -> V after {a} -> none end"),
    (2, "receive after {w} -> ok end"),
    (1, "erlang:send_after({w}, {p}, {{{g}, {v}, x}})"),
    (1, "exit({p}, {e})"),
    (1, "whereis({n})"),
]

# Receives of other shapes, messages by other ways, several timers of one process, and what a name,
# an alias or a table is found by.
SHAPE_OPERATIONS = [
    (5, "{p} ! {{{g}, {v}, x}}"),
    (2, "[{p} ! {{{g}, N, x}} || N <- [1, 2]]"),
    (2, "catch n1 ! n2 ! {{{g}, {v}, x}}"),
    (2, "erlang:send_nosuspend({p}, {{{g}, {v}, x}})"),
    (3, "receive {{_, V, _}} when V > {v} -> V after {a} -> none end"),
    (3, "receive {{a, V, _}} -> {{a, V}}; {{b, V, _}} -> {{b, V}} after {a} -> none end"),
    (2, "receive {{a, V, _}} -> receive {{b, W, _}} -> {{V, W}} after {a} -> V end "
        "after {a} -> none end"),
    (2, "receive V when is_tuple(V), {d} -> tuple_size(V) after {a} -> none end"),
    (2, "flush({d})"),
    (2, "call({p}, {v}, {a})"),
    (3, "serve({a})"),
    (2, "[erlang:send_after({w}, {p}, {{{g}, N, x}}) || N <- [1, 2]]"),
    (2, "erlang:send_after({w}, {p}, {{{g}, {v}, x}})"),
    (1, "erlang:send_after(erlang:monotonic_time(millisecond) + {w}, {p}, {{{g}, {v}, x}}, "
        "[{{abs, true}}])"),
    (1, "erlang:start_timer({w}, {n}, {v})"),
    (2, "erlang:cancel_timer(get({r}), [{{info, {b}}}])"),
    (1, "erlang:cancel_timer(get({r}), [{{async, true}}])"),
    (1, "erlang:read_timer(get({r}), [{{async, {b}}}])"),
    (2, "exit(get({r}), {e})"),
    (1, "erlang:hibernate(?MODULE, woken, [S])"),
    (1, "erlang:suspend_process({p}, [unless_suspending])"),
    (1, "erlang:resume_process({p})"),
    (1, "process_info({p}, message_queue_len)"),
    (1, "persistent_term:put({k}, {v})"),
    (1, "persistent_term:put({k}, get({r}))"),
    (1, "persistent_term:get({k}, none)"),
    (1, "lists:sort([V || {{{k}, V}} <- persistent_term:get()])"),
    (1, "maps:size(maps:filter(fun(K, _) -> K =:= {k} end, maps:from_list(persistent_term:get())))"),
    (1, "code:is_loaded(queue)"),
    (1, "code:ensure_loaded(queue)"),
    (1, "erlang:function_exported(queue, new, 0)"),
    (1, "erlang:module_loaded(queue)"),
    (1, "erlang:delete_module(queue)"),
    (1, "erlang:purge_module(queue)"),
    (1, "atomics:add_get(A, {c}, {v})"),
    (1, "atomics:compare_exchange(A, {c}, {v}, 0)"),
    (1, "counters:add(C, {c}, {v})"),
    (1, "counters:get(C, {c})"),
    (1, "ets:update_counter({t}, {k}, [{{2, 1}}, {{2, {v}, 2, 0}}], {{{k}, 0}})"),
    (1, "ets:lookup_element({t}, {k}, 2)"),
    (1, "element(1, ets:select({t}, [{{{{'$1', '_'}}, [], ['$1']}}], 1))"),
    (1, "ets:select_reverse({t}, [{{{{'$1', '_'}}, [], ['$1']}}])"),
    (1, "ets:insert({t}, {{{k}, {v}}})"),
    (1, "ets:init_table({t}, fun(read) -> end_of_input; (_) -> ok end)"),
    (1, "ets:tab2list(ets:whereis(t2))"),
    (1, "ets:info({t}, memory) > 0"),
    (1, "ets:info({t}, safe_fixed) =/= false"),
    (1, "group_leader()"),
    (1, "group_leader({p}, {p})"),
    (1, "register({n}, {p})"),
    (1, "unregister({n})"),
    (1, "monitor(process, {{{n}, node()}})"),
    (1, "erlang:send({{{n}, node()}}, {{{g}, {v}, x}})"),
]

# What the other lists leave out: continuations, code that is loaded and purged, settings of the whole
# machine, tracing, the end of everything.
REST_OPERATIONS = [
    (5, "{p} ! {{{g}, {v}, x}}"),
    (3, "receive {{_, V, _}} -> V after {a} -> none end"),
    (1, "receive {{trace, _, What, _}} -> What after {a} -> none end"),
    (2, "exit({p}, {e})"),
    (1, "process_flag(trap_exit, {b})"),
    (3, "ets:insert({t}, {{{k}, {v}}})"),
    (1, "ets:insert({t}, [{{k1, {v}}}, {{k3, {v}}}])"),
    (1, "ets:delete({t}, {k})"),
    (2, "chunks(ets:select({t}, [{{{{'$1', '_'}}, [], ['$1']}}], 1), fun ets:select/1)"),
    (1, "chunks(ets:select_reverse({t}, [{{'_', [], ['$_']}}], 1), fun ets:select_reverse/1)"),
    (1, "chunks(ets:match({t}, {{'$1', {v}}}, 1), fun ets:match/1)"),
    (1, "chunks(ets:match_object({t}, {{'_', '_'}}, 1), fun ets:match_object/1)"),
    (1, "lists:member({t}, ets:all())"),
    (2, "length(ets:all())"),
    (2, "is_reference(ets:new(t3, []))"),
    (1, "element(2, spawn_monitor(fun() -> ets:new(t3, [named_table]) end))"),
    (1, "element(2, spawn_monitor(fun() -> ets:new(t3, [{{heir, {p}, x}}]) end))"),
    (1, "queue:len(queue:new())"),
    (1, "element(1, code:load_file(queue))"),
    (1, "code:delete(queue)"),
    (1, "code:purge(queue)"),
    (1, "code:soft_purge(queue)"),
    (1, "erlang:check_old_code(queue)"),
    (1, "code:is_loaded(queue) =:= false"),
    (1, "lists:keymember(queue, 1, code:all_loaded())"),
    (1, "lists:member(queue, erlang:loaded())"),
    (1, "code:add_path(\"/tmp\")"),
    (1, "code:del_path(\"/tmp\")"),
    (1, "lists:member(\"/tmp\", code:get_path())"),
    (2, "erlang:system_flag(backtrace_depth, {v})"),
    (1, "os:putenv(\"FERMATA_GENERATED\", \"{v}\")"),
    (1, "os:unsetenv(\"FERMATA_GENERATED\")"),
    (1, "[V || {{\"FERMATA_GENERATED\", V}} <- os:env()]"),
    (1, "persistent_term:put({k}, {v})"),
    (1, "persistent_term:erase({k})"),
    (1, "maps:get(count, persistent_term:info())"),
    (1, "is_list(erlang:process_flag({p}, save_calls, 0))"),
    (1, "length(erlang:ports())"),
    (1, "element(3, erlang:now())"),
    (1, "element(2, erlang:universaltime()) < {{24, 0, 0}}"),
    (2, "erlang:trace({p}, {b}, [procs])"),
    (1, "erlang:trace({p}, {b}, [send])"),
    (1, "element(2, erlang:trace_info({p}, flags))"),
    (1, "erlang:suspend_process({p}, [asynchronous])"),
    (1, "erlang:resume_process({p})"),
    (1, "halt({h})"),
]

# Calls with a time limit, and replies that come too late.
CALL_OPERATIONS = [
    (4, "call({p}, {v}, {a})"),
    (6, "ask({p}, {v}, {a})"),
    (8, "serve({a})"),
    (2, "[serve({a}) || _ <- [1, 2]]"),
    (2, "{p} ! {{call, self(), {v}}}"),
    (2, "receive {{_, {{got, V}}}} -> V after {a} -> none end"),
    (1, "exit({p}, {e})"),
    (1, "process_info({p}, message_queue_len)"),
]

ABOUT = {"all": OPERATIONS, "tables": TABLE_OPERATIONS, "waits": WAIT_OPERATIONS,
         "exits": EXIT_OPERATIONS, "processes": PROCESS_OPERATIONS,
         "deaths": DEATH_OPERATIONS, "shapes": SHAPE_OPERATIONS,
         "system": SYSTEM_OPERATIONS, "polls": POLL_OPERATIONS, "rest": REST_OPERATIONS,
         "calls": CALL_OPERATIONS}

CHOICES = {"n": ["n1", "n1", "n2"], "t": ["T1", "T1", "t2"], "k": ["k1", "k1", "k2"],
           "v": ["1", "2", "3"], "g": ["a", "a", "b"],
           "a": ["0", "10", "0", "10", "0", "10", "2000", "infinity"],
           "e": ["kill", "normal", "oops"], "b": ["true", "true", "false"], "w": ["5", "10", "2000"],
           "c": ["1", "1", "2"], "o": ["[]", "[flush]", "[info]", "[flush, info]"],
           "i": ["trap_exit", "current_function", "group_leader", "suspending", "priority",
                 "dictionary", "initial_call", "error_handler", "message_queue_data",
                 "current_stacktrace"]}

# Of PROCESS_OPERATIONS alone: a choice more would make other programs of the same seeds.
MORE_CHOICES = {"s": ["link", "monitor", "{priority, high}"], "y": ["yes", "no", "error_only"],
                "q": ["low", "normal", "high"], "f": ["on_heap", "off_heap"],
                "j": ["current_location", "parent", "status", "messages", "message_queue_len",
                      "monitors", "catchlevel", "sequential_trace_token", "min_heap_size",
                      "last_calls", "trace"]}

MORE_CHOICES_OF = {"processes": MORE_CHOICES, "system": {"l": ["debug", "none"]},
                   "rest": {"h": ["0", "1"]}}

# Operations by the number of workers: those of the test's own process, those of each worker.
SIZES = {2: ((1, 3), (2, 4)), 3: ((1, 3), (2, 3)), 4: ((1, 3), (1, 2))}
SMALL_SIZES = {1: ((1, 4), (1, 4)), 2: ((0, 1), (1, 2)), 3: ((0, 1), (1, 1))}

HEAD = """\
-module({module}).
-export([child/2, woken/1, {exports}]).

child(P, V) ->
    proc_lib:init_ack({{ok, self()}}),
    receive after 10 -> P ! {{a, V, x}} end.
poll(W, F) -> case F() of true -> seen; _ -> receive after W -> poll(W, F) end end.
poll(_, 0, _) -> none;
poll(W, N, F) -> case F() of true -> N; _ -> receive after W -> poll(W, N - 1, F) end end.
poll_for(G, W) -> receive {{G, V, _}} -> V after W -> poll_for(G, W) end.
poll_for_either(G, W) -> receive {{G, V, _}} -> V after W -> poll_for_either(other(G), W) end.
other(a) -> b;
other(b) -> a.
poll_now(G, W) ->
    receive {{G, V, _}} -> V after 0 -> receive {{_, 3, _}} -> none after W -> poll_now(G, W) end end.
woken(S) -> exit({{woken, S, receive V -> plain(V) after 0 -> none end}}).
flush(true) -> receive V when is_tuple(V) -> [V | flush(true)] after 0 -> [] end;
flush(false) -> receive {{_, V, x}} -> [V | flush(false)] after 0 -> [] end.
call(P, V, A) ->
    M = monitor(process, P, [{{alias, reply_demonitor}}]),
    P ! {{call, M, V}},
    receive {{M, R}} -> R; {{'DOWN', M, _, _, R}} -> {{down, R}}
    after A -> demonitor(M, [flush]), receive {{M, R}} -> {{late, R}} after 0 -> none end end.
ask(P, V, A) ->
    R = alias(),
    P ! {{call, R, V}},
    receive {{R, W}} -> W after A -> unalias(R), receive {{R, W}} -> {{late, W}} after 0 -> none end end.
chunks('$end_of_table', _) -> [];
chunks({{L, C}}, More) -> [L | chunks(More(C), More)].
serve(A) -> receive {{call, M, V}} -> M ! {{M, {{got, V}}}} after A -> none end.
do(Number, F) -> put(Number, try F() catch _:R when is_atom(R) -> R; _:_ -> failed end).
hit(Number) -> not lists:member(get(Number), [undefined, false, [], 0, none, badarg, true]).
plain(V) when is_reference(V) -> reference;
plain([H | T]) -> [plain(H) | plain(T)];
plain(V) when is_tuple(V) -> list_to_tuple(plain(tuple_to_list(V)));
plain(V) -> V.
seen() -> lists:sort([{{N, plain(V)}} || {{N, V}} <- get(), is_integer(N)]).
tell(S, N) -> S ! {{seen, N, seen(), x}}.
gather([]) -> ok;
gather([{{N, M}} | Rest]) ->
    Reason = receive {{'DOWN', M, _, _, R}} -> plain(R) end,
    erlang:display({{N, Reason, receive {{seen, N, V, x}} -> V after 0 -> nothing end}}),
    gather(Rest).
ends(Monitors) ->
    erlang:display([receive {{'DOWN', M, _, _, R}} -> {{N, plain(R)}} end || {{N, M}} <- Monitors]).
"""


class Generator:
    """Makes one program from a seed. Most of the small ones can be exhausted by dfs."""

    def __init__(self, seed, about="all", is_small=False):
        self.operations = ABOUT[about]
        self.choices = {**CHOICES, **MORE_CHOICES_OF.get(about, {})}
        self.rng = random.Random(seed)
        self.number = 0
        self.is_small = is_small

    def program(self):
        workers = self.rng.choice((1, 1, 2, 2, 2, 3) if self.is_small else (2, 2, 2, 3, 3, 4))
        access = (", public",) * 4 + (", protected", ", private")
        head = (self.rng.choice(("set", "set", "ordered_set", "bag", "duplicate_bag"))
                + self.rng.choice(access),
                self.rng.choice(("set", "ordered_set", "bag")) + self.rng.choice(access),
                self.rng.random() < (0.8 if self.is_small else 0.3), self.is_small)
        sizes = SMALL_SIZES if self.is_small else SIZES
        # A few kinds of operations only, so that they meet.
        self.kinds = self.pick(self.rng.randint(3, 7))
        own, others = sizes[workers]
        blocks = [self.block(self.rng.randint(*own), self.known(0, workers), 0)]
        for worker in range(1, workers + 1):
            blocks.append(self.block(self.rng.randint(*others), self.known(worker, workers), 0))
        return head, blocks

    def pick(self, count):
        weights = [weight for weight, _ in self.operations]
        return self.rng.choices([text for _, text in self.operations], weights, k=count)

    @staticmethod
    def known(worker, workers):
        """The processes that one can name: those that were there before, and itself."""
        if worker == 0:
            return ["P%d" % n for n in range(1, workers + 1)] * 2 + ["self()"]
        return ["S", "self()"] + ["P%d" % n for n in range(1, worker)] * 2

    def block(self, size, known, depth):
        first = self.number + 1
        return [self.operation(first, known, depth) for _ in range(size)]

    def operation(self, first, known, depth):
        self.number += 1
        number = self.number
        if depth == 0 and number > first and self.rng.random() < 0.2:
            earlier = self.rng.randrange(first, number)
            return number, earlier, self.block(self.rng.randint(1, 2), known, 1)
        words = {key: self.rng.choice(values) for key, values in self.choices.items()}
        # The test's own process counts on the end of each worker being told to it.
        words["d"] = "false" if "P1" in known and "S" not in known else "true"
        words["p"] = self.rng.choice(known)
        words["r"] = str(self.rng.randrange(max(1, number - 3), number + 1))
        return number, self.rng.choice(self.kinds).format(**words)


def lines_of(block, depth):
    """The block as lines of Erlang, each with a comma at its end."""
    for op in block:
        indent = "    " * depth
        if isinstance(op[1], str):
            yield "%sdo(%d, fun() -> %s end)," % (indent, op[0], op[1])
        else:
            yield "%shit(%d) andalso begin" % (indent, op[1])
            yield from lines_of(op[2], depth + 1)
            yield "%s    ok end," % indent


def to_function(program, name):
    """The program as a function. A small one makes only those objects that an operation uses,
    because each step of the test's own process multiplies the schedules."""
    (one, two, exits, is_small), blocks = program
    text = str(blocks)
    has_atomics, has_first, has_second = (not is_small or word in text
                                          for word in ("(A, ", "T1", "t2"))
    lines = ["", "%s() ->" % name, "    S = self(),"]
    lines += ["    A = atomics:new(2, []),"] * has_atomics
    lines += ["    C = counters:new(2, []),"] * ("(C, " in text)
    lines += ["    T1 = ets:new(x, [%s])," % one] * has_first
    lines += ["    ets:new(t2, [named_table, %s])," % two] * has_second
    for worker, block in enumerate(blocks[1:], 1):
        lines.append("    {P%d, M%d} = spawn_monitor(fun() ->" % (worker, worker))
        lines += lines_of(block, 2)
        last = "exit(seen())" if exits else "tell(S, %d)" % worker
        lines.append("        %s end)," % last)
    lines += lines_of(blocks[0], 1)
    monitors = ", ".join("{%d, M%d}" % (n, n) for n in range(1, len(blocks)))
    tables = ", ".join(["T1"] * has_first + ["t2"] * has_second)
    lines += ["    %s([%s])," % ("ends" if exits and is_small else "gather", monitors),
              "    Left = [catch lists:sort(ets:tab2list(T)) || T <- [%s]]," % tables,
              "    erlang:display({seen(), [plain(L) || L <- Left, is_list(L)], %s, %s})." %
              ("whereis(n1)" if not is_small or "n1" in text else "none",
               "atomics:get(A, 1)" if has_atomics else "none")]
    return "\n".join(lines) + "\n"


def to_module(module, programs):
    """One module with a function for each of the programs, by name."""
    head = HEAD.format(module=module, exports=", ".join("%s/0" % name for name in programs))
    return head + "".join(to_function(program, name) for name, program in programs.items())


def smaller_blocks(block):
    """All blocks with one operation less, or one unwrapped."""
    for i, op in enumerate(block):
        yield block[:i] + block[i + 1:]
        if not isinstance(op[1], str):
            yield block[:i] + op[2] + block[i + 1:]
            for inner in smaller_blocks(op[2]):
                yield block[:i] + [(op[0], op[1], inner)] + block[i + 1:]


def smaller(program):
    """All programs a little smaller than this one."""
    head, blocks = program
    if head[2]:
        yield (head[0], head[1], False, head[3]), blocks
    if not blocks[-1] and len(blocks) > 2:
        last = "P%d" % (len(blocks) - 1)
        if last not in str(blocks):
            yield head, blocks[:-1]
    for b, block in enumerate(blocks):
        for less in smaller_blocks(block):
            yield head, blocks[:b] + [less] + blocks[b + 1:]
