%% gen_tcp between processes of the test, on simulated sockets: every delivery, close and error is a
%% step. Nothing leaves the machine.
%%
%% expect: echo --strategy dpor => proved
%% expect: two_clients --strategy dpor --certify 500 => proved, assuming sockets as simulated
%% expect: two_clients_active --strategy dpor --certify 500 => proved
%% expect: listener --strategy dpor => proved
%% expect: close_or_send --strategy dpor => bug
%% expect: close_after_send --strategy dpor => proved
%% expect: boundaries --strategy dpor => bug
%% expect: packets --strategy dpor => proved
%% expect: lines --strategy dpor => proved
%% expect: counted --strategy dpor => proved
%% expect: given_away --strategy dpor => proved
%% expect: owner_ends --strategy dpor => proved
%% expect: timeouts --strategy dpor => proved
%% expect: half_closed --strategy dpor => proved
%% expect: names --strategy dpor => proved
%% expect: same_number --strategy dpor => proved
%% expect: accept_and_close --strategy dpor => proved
%% expect: accept_and_close --strategy dpor --delivery async => proved
%% expect: echo --strategy dpor --delivery async => proved
%% expect: elsewhere => lost-control
%% expect: other_backend => lost-control
-module(tcp).
-export([echo/0, two_clients/0, two_clients_active/0, listener/0, close_or_send/0,
         close_after_send/0, boundaries/0, packets/0, lines/0, counted/0, given_away/0,
         owner_ends/0, timeouts/0, half_closed/0, names/0, same_number/0, accept_and_close/0,
         elsewhere/0, other_backend/0]).

%% ---- an echo server ----

serve(Socket) ->
    case gen_tcp:recv(Socket, 0) of
        {ok, Data} ->
            ok = gen_tcp:send(Socket, Data),
            serve(Socket);
        {error, closed} ->
            gen_tcp:close(Socket)
    end.

listen(Options) ->
    {ok, Listener} = gen_tcp:listen(0, Options),
    {ok, Number} = inet:port(Listener),
    {Listener, Number}.

pair(Options) ->
    {Listener, Number} = listen(Options),
    {ok, Client} = gen_tcp:connect("localhost", Number, Options),
    {ok, Server} = gen_tcp:accept(Listener),
    ok = gen_tcp:close(Listener),
    {Client, Server}.

ask(Number, Text) ->
    {ok, Socket} = gen_tcp:connect({127, 0, 0, 1}, Number, [binary, {active, false}]),
    ok = gen_tcp:send(Socket, Text),
    {ok, Text} = gen_tcp:recv(Socket, byte_size(Text)),
    ok = gen_tcp:close(Socket).

echo() ->
    {Listener, Number} = listen([binary, {active, false}]),
    spawn_link(fun() ->
                       {ok, Socket} = gen_tcp:accept(Listener),
                       serve(Socket)
               end),
    %% The server is linked to the owner of the listener, which must not end before it is done.
    ask(Number, <<"hello">>).

two_clients() ->
    Self = self(),
    {Listener, Number} = listen([binary, {active, false}]),
    Server = spawn(fun() ->
                           [begin
                                {ok, Socket} = gen_tcp:accept(Listener),
                                serve(Socket)
                            end || _ <- [1, 2]],
                           Self ! served
                   end),
    true = is_pid(Server),
    Texts = [<<"a">>, <<"b">>],
    [spawn_link(fun() -> ask(Number, Text), Self ! {asked, Text} end) || Text <- Texts],
    [receive {asked, Text} -> ok end || Text <- Texts],
    receive served -> ok end.

%% The same with a process for each connection, to which messages come.
two_clients_active() ->
    Self = self(),
    {Listener, Number} = listen([binary, {active, once}]),
    [spawn_link(fun() ->
                        {ok, Socket} = gen_tcp:accept(Listener),
                        serve_active(Socket),
                        Self ! served
                end) || _ <- [1, 2]],
    [spawn_link(fun() -> ask(Number, Text) end) || Text <- [<<"a">>, <<"b">>]],
    [receive served -> ok end || _ <- [1, 2]].

serve_active(Socket) ->
    receive
        {tcp, Socket, Data} ->
            ok = gen_tcp:send(Socket, Data),
            ok = inet:setopts(Socket, [{active, once}]),
            serve_active(Socket);
        {tcp_closed, Socket} ->
            ok
    end.

%% An acceptor gives each connection to a process of its own, as ranch does: the process waits
%% until the socket is its own.
listener() ->
    Self = self(),
    {Listener, Number} = listen([binary, {active, false}]),
    Acceptor = spawn_link(fun() -> accept_all(Listener, Self) end),
    ask(Number, <<"x">>),
    Worker = receive {worker, Pid} -> Pid end,
    Ref = monitor(process, Worker),
    receive {'DOWN', Ref, process, Worker, _} -> ok end,
    ok = gen_tcp:close(Listener),
    Down = monitor(process, Acceptor),
    receive {'DOWN', Down, process, Acceptor, _} -> ok end.

accept_all(Listener, Self) ->
    case gen_tcp:accept(Listener) of
        {ok, Socket} ->
            Worker = spawn_link(fun() -> receive {yours, Socket} -> serve(Socket) end end),
            ok = gen_tcp:controlling_process(Socket, Worker),
            Worker ! {yours, Socket},
            Self ! {worker, Worker},
            accept_all(Listener, Self);
        {error, closed} ->
            ok
    end.

%% ---- races ----

%% One process closes the socket that another sends on.
close_or_send() ->
    {Client, _} = pair([binary, {active, false}]),
    spawn_link(fun() -> gen_tcp:close(Client) end),
    ok = gen_tcp:send(Client, "late").

%% Data that was accepted arrives before the close.
close_after_send() ->
    {Client, Server} = pair([binary, {active, false}]),
    spawn_link(fun() ->
                       ok = gen_tcp:send(Client, "one"),
                       gen_tcp:close(Client)
               end),
    {ok, <<"one">>} = gen_tcp:recv(Server, 0),
    {error, closed} = gen_tcp:recv(Server, 0).

%% Without packets the bytes of two sends may come together.
boundaries() ->
    {Client, Server} = pair([binary, {active, false}]),
    spawn_link(fun() ->
                       ok = gen_tcp:send(Client, "one"),
                       ok = gen_tcp:send(Client, "two")
               end),
    {ok, <<"one">>} = gen_tcp:recv(Server, 0).

packets() ->
    {Client, Server} = pair([binary, {active, false}, {packet, 2}]),
    spawn_link(fun() ->
                       ok = gen_tcp:send(Client, "one"),
                       ok = gen_tcp:send(Client, "two")
               end),
    {ok, <<"one">>} = gen_tcp:recv(Server, 0),
    {ok, <<"two">>} = gen_tcp:recv(Server, 0).

lines() ->
    {Client, Server} = pair([list, {active, true}, {packet, line}]),
    ok = gen_tcp:send(Client, "one\ntw"),
    ok = gen_tcp:send(Client, "o\n"),
    receive {tcp, Server, "one\n"} -> ok end,
    receive {tcp, Server, "two\n"} -> ok end,
    ok = gen_tcp:close(Client),
    receive {tcp_closed, Server} -> ok end,
    {error, closed} = gen_tcp:send(Server, "x").

counted() ->
    {Client, Server} = pair([binary, {active, false}, {packet, 1}]),
    ok = inet:setopts(Server, [{active, 2}]),
    [ok = gen_tcp:send(Client, Text) || Text <- ["1", "2", "3"]],
    receive {tcp, Server, <<"1">>} -> ok end,
    receive {tcp, Server, <<"2">>} -> ok end,
    receive {tcp_passive, Server} -> ok end,
    {ok, <<"3">>} = gen_tcp:recv(Server, 0).

given_away() ->
    {Client, Server} = pair([binary, {active, true}]),
    Self = self(),
    ok = gen_tcp:send(Client, "early"),
    Other = spawn_link(fun() ->
                               receive {tcp, Server, Data} -> Self ! {got, Data} end,
                               receive stop -> ok end
                       end),
    ok = gen_tcp:controlling_process(Server, Other),
    {error, not_owner} = gen_tcp:controlling_process(Server, Self),
    receive {got, <<"early">>} -> ok end,
    Other ! stop.

%% A socket closes with its owner.
owner_ends() ->
    {Listener, Number} = listen([binary, {active, false}]),
    {Pid, Ref} = spawn_monitor(fun() -> {ok, _} = gen_tcp:connect("localhost", Number, []) end),
    {ok, Server} = gen_tcp:accept(Listener),
    receive {'DOWN', Ref, process, Pid, normal} -> ok end,
    {error, closed} = gen_tcp:recv(Server, 0).

timeouts() ->
    {Listener, Number} = listen([binary, {active, false}]),
    {error, timeout} = gen_tcp:accept(Listener, 10),
    {ok, Client} = gen_tcp:connect("localhost", Number, [{active, false}], 1000),
    {error, timeout} = gen_tcp:recv(Client, 0, 10),
    {ok, Server} = gen_tcp:accept(Listener, 10),
    ok = gen_tcp:send(Server, "x"),
    {ok, "x"} = gen_tcp:recv(Client, 1, 10).

half_closed() ->
    {Client, Server} = pair([binary, {active, false}]),
    ok = gen_tcp:send(Client, "question"),
    ok = gen_tcp:shutdown(Client, write),
    {ok, <<"question">>} = gen_tcp:recv(Server, 0),
    ok = gen_tcp:send(Server, "answer"),
    {ok, <<"answer">>} = gen_tcp:recv(Client, 0),
    {error, closed} = gen_tcp:send(Client, "more").

names() ->
    {Listener, Number} = listen([{ip, {127, 0, 0, 1}}, {active, false}]),
    {ok, {{127, 0, 0, 1}, Number}} = inet:sockname(Listener),
    {error, enotconn} = inet:peername(Listener),
    {ok, Client} = gen_tcp:connect(localhost, Number, []),
    {ok, Server} = gen_tcp:accept(Listener),
    {ok, {{127, 0, 0, 1}, Number}} = inet:peername(Client),
    {ok, Name} = inet:sockname(Client),
    {ok, Name} = inet:peername(Server),
    true = is_port(Client),
    {connected, Self} = erlang:port_info(Client, connected),
    Self = self(),
    {ok, [{active, true}, {mode, list}]} = inet:getopts(Client, [active, mode]),
    {error, einval} = inet:setopts(Client, [{active, 'maybe'}]),
    ok = gen_tcp:close(Client),
    undefined = erlang:port_info(Client),
    {error, einval} = inet:sockname(Client),
    {error, econnrefused} = gen_tcp:connect("127.0.0.1", 1, []),
    {'EXIT', badarg} = (catch gen_tcp:listen(0, [wrong])).

same_number() ->
    Self = self(),
    Pids = [spawn_link(fun() ->
                               Self ! {N, gen_tcp:listen(8080, [])},
                               receive done -> ok end
                       end) || N <- [1, 2]],
    Results = [receive {N, Result} -> Result end || N <- [1, 2]],
    [{error, eaddrinuse}] = [Error || {error, _} = Error <- Results],
    1 = length([Socket || {ok, Socket} <- Results]),
    [Pid ! done || Pid <- Pids].

%% A process that accepts learns that the socket is closed.
accept_and_close() ->
    {Listener, _} = listen([]),
    {Pid, Ref} = spawn_monitor(fun() -> {error, closed} = gen_tcp:accept(Listener) end),
    ok = gen_tcp:close(Listener),
    receive {'DOWN', Ref, process, Pid, Reason} -> normal = Reason end.

%% ---- refused ----

elsewhere() -> gen_tcp:connect("erlang.org", 80, []).
other_backend() -> gen_tcp:listen(0, [{inet_backend, socket}]).
