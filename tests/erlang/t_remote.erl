%% Pids, ports and references of other nodes, which are decoded from the external format.
-module(t_remote).
-export([guards/0, written/0, round_trip/0, bad_input/0, hashes/0, old_hashes/0, nodes_of/0, sizes/0,
         order_of_pids/0, order_of_ports/0, order_of_refs/0, equal_refs/0, order_of_kinds/0,
         as_keys/0, in_tables/0, in_messages/0, sent/0, bad_calls/0, monitored/0,
         monitored_name/0, linked/0, collected/0, texts/0, matched/0, other_start/0]).
-include("t.hrl").

pid(Node, Creation, Number, Serial) ->
    binary_to_term(<<131, $X, 119, (byte_size(Node)), Node/binary, Number:32, Serial:32,
                     Creation:32>>).

port(Node, Creation, Number) ->
    binary_to_term(<<131, $x, 119, (byte_size(Node)), Node/binary, Number:64, Creation:32>>).

ref(Node, Creation, Numbers) ->
    binary_to_term(<<131, $Z, (length(Numbers)):16, 119, (byte_size(Node)), Node/binary,
                     Creation:32, << <<N:32>> || N <- Numbers >>/binary>>).

remotes() ->
    [pid(<<"a@b">>, 7, 4711, 3), pid(<<"a@b">>, 7, 1 bsl 31 + 5, 1 bsl 30),
     port(<<"a@b">>, 7, 99), port(<<"c@d">>, 1, 1 bsl 40 + 5), ref(<<"a@b">>, 7, [1, 2, 3]),
     ref(<<"c@d">>, 7, [1, 2]), ref(<<"a@b">>, 16#ffffffff, [1, 2, 3, 4, 5])].

guards() -> [{is_pid(T), is_port(T), is_reference(T), is_atom(T), is_binary(T)} || T <- remotes()].
written() -> [term_to_binary(T) || T <- remotes()].
round_trip() -> [T =:= binary_to_term(term_to_binary({T, T})) || T <- remotes()].

bad_input() ->
    Node = <<100, 3:16, "a@b">>,
    [?TRY(term_to_binary(binary_to_term(<<131, Bytes/binary>>)))
     || Bytes <- [<<103, Node/binary, 7:32, 8:32, 4>>, <<103, Node/binary, 7:32, 8:32, 3>>,
                  <<102, Node/binary, 7:32, 4>>, <<102, Node/binary, 16#ffffffff:32, 2>>,
                  <<101, Node/binary, 16#ffffffff:32, 2>>, <<101, Node/binary, 5:32, 2>>,
                  <<114, 1:16, Node/binary, 5, 5:32>>,
                  <<114, 1:16, Node/binary, 3, 5:32>>, <<114, 2:16, Node/binary, 3, 5:32>>,
                  <<$Z, 6:16, Node/binary, 3:32, 1:192>>, <<$Z, 1:16, 97, 5, 3:32, 1:32>>]].

hashes() -> [{erlang:phash2(T), erlang:phash2([T], 1 bsl 32)} || T <- remotes()].

old_hashes() ->
    [erlang:(tlib:id(phash))({T}, 1 bsl 32) || T <- remotes(), not is_port(T)].

nodes_of() -> [{node(T), node(T) =:= node()} || T <- remotes()].
sizes() -> [erts_debug:flat_size(T) || T <- remotes()].

%% By serial, number, node and creation.
order_of_pids() ->
    P = pid(<<"b@b">>, 2, 4711, 1),
    [begin T = pid(N, C, I, S), {T < P, T =:= P, T > P} end
     || {N, C, I, S} <- [{<<"a@b">>, 1, 4710, 2}, {<<"a@b">>, 1, 4712, 1}, {<<"c@b">>, 1, 4711, 1},
                         {<<"b@b">>, 3, 4711, 1}, {<<"b@b">>, 2, 4711, 1}, {<<"a@b">>, 9, 4711, 1}]].

order_of_ports() ->
    P = port(<<"b@b">>, 2, 4711),
    [begin T = port(N, C, I), {T < P, T == P, T > P} end
     || {N, C, I} <- [{<<"c@b">>, 1, 4710}, {<<"b@b">>, 3, 4710}, {<<"b@b">>, 2, 4712},
                      {<<"b@b">>, 2, 4711}, {<<"a@b">>, 9, 9999}]].

order_of_refs() ->
    R = ref(<<"b@b">>, 2, [11, 11, 11]),
    [begin T = ref(N, C, L), {T < R, T == R, T > R} end
     || {N, C, L} <- [{<<"c@b">>, 1, [1, 1, 1]}, {<<"b@b">>, 3, [1, 1, 1]},
                      {<<"b@b">>, 2, [10, 10, 12]}, {<<"b@b">>, 2, [10, 12, 11]},
                      {<<"b@b">>, 2, [12, 11, 11]}, {<<"b@b">>, 2, [11, 11, 11]},
                      {<<"b@b">>, 2, [12, 12]}, {<<"b@b">>, 2, [1, 1, 1, 1]}]].

equal_refs() ->
    Refs = [ref(<<"b@b">>, 2, L) || L <- [[7], [7, 0], [7, 0, 0], [7, 0, 0, 0, 0], [7, 0, 1]]],
    {[A =:= B || A <- Refs, B <- Refs], map_size(maps:from_list([{R, x} || R <- Refs]))}.

order_of_kinds() ->
    [Pid, _, Port, _, Ref | _] = remotes(),
    All = [1, 1.5, 1 bsl 70, atom, Ref, fun lists:map/2, Port, Pid, {}, #{}, [], [a], <<>>],
    [A < B || A <- All, B <- All].

as_keys() ->
    M = maps:from_list([{T, I} || {I, T} <- lists:enumerate(remotes())]),
    {[maps:get(T, M) || T <- remotes()], map_size(M), is_map_key(pid(<<"a@b">>, 8, 4711, 3), M)}.

in_tables() ->
    [begin
         Table = ets:new(t, [Type]),
         [ets:insert(Table, {T, I}) || {I, T} <- lists:enumerate(remotes())],
         {[ets:lookup_element(Table, T, 2) || T <- remotes()],
          lists:sort(ets:select(Table, [{{'$1', '$2'}, [{is_pid, '$1'}], ['$2']}])),
          ets:select(Table, [{{'$1', '$2'}, [{'=:=', {node, '$1'}, 'c@d'}, {is_port, '$1'}],
                              ['$2']}])}
     end || Type <- [set, ordered_set]].

in_messages() ->
    self() ! {remotes(), #{k => remotes()}},
    receive {L, #{k := L}} -> L =:= remotes() end.

%% No node is connected: the messages are lost.
sent() ->
    [Pid, _, Port, _, Ref | _] = remotes(),
    [?TRY(Pid ! m), ?TRY(Ref ! m), ?TRY(Port ! m), ?TRY(erlang:send(Pid, m)),
     ?TRY(erlang:send(Pid, m, [])), ?TRY(erlang:send(Pid, m, [nosuspend])),
     ?TRY(erlang:send(Pid, m, [noconnect])), ?TRY(erlang:send({name, 'a@b'}, m, [noconnect])),
     ?TRY({name, 'a@b'} ! m), tlib:drain([])].

bad_calls() ->
    [Pid, _, Port, _, Ref | _] = remotes(),
    [?TRY(exit(Pid, x)), ?TRY(exit(Port, x)), ?TRY(unlink(Pid)), ?TRY(unlink(Port)),
     ?TRY(link(Port)), ?TRY(is_process_alive(Pid)), ?TRY(process_info(Pid)),
     ?TRY(erlang:demonitor(Ref)), ?TRY(erlang:cancel_timer(Ref)), ?TRY(erlang:read_timer(Ref)),
     ?TRY(erlang:start_timer(10, Pid, x)), ?TRY(erlang:send_after(10, Pid, x)),
     ?TRY(register(name, Pid)), ?TRY(erlang:suspend_process(Pid)), ?TRY(erlang:unalias(Ref)),
     ?TRY(erlang:trace(Pid, true, [call])), ?TRY(ets:new(t, [{heir, Pid, x}])),
     ?TRY(ets:give_away(ets:new(t, []), Pid, x)), ?TRY(erlang:garbage_collect(Pid)),
     ?TRY(ets:info(Ref)), ?TRY(erlang:monitor(port, Port)), ?TRY(atomics:get(Ref, 1)),
     ?TRY(erlang:port_info(Port)), ?TRY(port_close(Port)), ?TRY(port_command(Port, "x"))].

monitored() ->
    [Pid | _] = remotes(),
    A = monitor(process, Pid),
    B = monitor(process, Pid, [{tag, mine}]),
    receive {'DOWN', A, process, Pid, Reason} -> {Reason, receive {mine, B, _, _, R} -> R end} end.

monitored_name() -> ?TRY(monitor(process, {name, 'a@b'})).

linked() ->
    [Pid | _] = remotes(),
    Old = process_flag(trap_exit, true),
    true = link(Pid),
    receive {'EXIT', Pid, Reason} -> process_flag(trap_exit, Old), Reason end.

collected() ->
    L = remotes(),
    erlang:garbage_collect(),
    _ = lists:seq(1, 10000),
    erlang:garbage_collect(),
    L =:= remotes().

%% The number of the node differs from run to run.
texts() ->
    [begin
         Text = lists:flatten(io_lib:format("~w", [T])),
         {match, [Before, After]} =
             re:run(Text, "^([^<]*<)[1-9][0-9]*(\\..*)$", [{capture, all_but_first, list}]),
         {Before, After, Text =:= lists:flatten(io_lib:format("~p", [T]))}
     end || T <- remotes()].

matched() ->
    [Pid | _] = remotes(),
    Same = pid(<<"a@b">>, 7, 4711, 3),
    case {Same, 1} of {Pid, _} -> same; _ -> other end.

%% The same name with another creation is another node.
other_start() ->
    P = pid(<<"nonode@nohost">>, 5, 1, 0),
    R = ref(<<"nonode@nohost">>, 5, [1, 2, 3]),
    Ours = list_to_pid("<0.1.0>"),
    M = monitor(process, P),
    Port = port(<<"nonode@nohost">>, 5, 7),
    _ = monitor(port, Port),
    {node(P), P =:= Ours, P > Ours, is_pid(P), term_to_binary(P), term_to_binary(R),
     pid(<<"nonode@nohost">>, 0, 1, 0) =:= Ours, erlang:send(P, m, [noconnect]), P ! m,
     unlink(P), exit(P, x), receive {'DOWN', M, process, P, Reason} -> Reason end,
     receive {'DOWN', _, port, Port, Closed} -> Closed end}.
