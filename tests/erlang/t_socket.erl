%% Sockets between processes of the program: what calls return, and which messages come.
-module(t_socket).
-export([echo/0, sizes/0, modes/0, once/0, counted/0, negative_count/0, closed_unread/0, packets/0, too_long/0,
         lines/0, http/0, closed_by_peer/0, closed_passive/0, closed_active/0, closed_twice/0,
         closed_listener/0, shut_down/0, kept_open/0, timeouts/0, two_receives/0, new_owner/0,
         not_owner/0, owner_ends/0, options/0, wrong_options/0, wrong_calls/0, names/0, refused/0,
         in_use/0, trapping/0, datagrams/0, datagrams_active/0, datagrams_connected/0,
         datagrams_closed/0, host/0]).
-include("t.hrl").

pair(Options) ->
    {ok, Listener} = gen_tcp:listen(0, [{ip, {127, 0, 0, 1}} | Options]),
    {ok, Number} = inet:port(Listener),
    {ok, Client} = gen_tcp:connect({127, 0, 0, 1}, Number, Options),
    {ok, Server} = gen_tcp:accept(Listener),
    {Listener, Client, Server}.

%% The message that comes next, with the words for the sockets in place of them.
next(Client, Server) ->
    receive
        Message ->
            [case Part of Client -> client; Server -> server; _ -> Part end
             || Part <- tuple_to_list(Message)]
    after 2000 -> none
    end.

echo() ->
    {_, Client, Server} = pair([binary, {active, false}]),
    ok = gen_tcp:send(Client, ["he", <<"llo">>]),
    Received = gen_tcp:recv(Server, 5),
    ok = gen_tcp:send(Server, "back"),
    {Received, gen_tcp:recv(Client, 4)}.

sizes() ->
    {_, Client, Server} = pair([binary, {active, false}]),
    ok = gen_tcp:send(Client, "0123456789"),
    [gen_tcp:recv(Server, N) || N <- [3, 1, 6]].

modes() ->
    {_, Client, Server} = pair([list, {active, false}]),
    ok = gen_tcp:send(Client, "ab"),
    First = gen_tcp:recv(Server, 2),
    ok = inet:setopts(Server, [binary]),
    ok = gen_tcp:send(Client, "cd"),
    {First, gen_tcp:recv(Server, 2)}.

once() ->
    {_, Client, Server} = pair([binary, {active, once}, {packet, 1}]),
    [ok = gen_tcp:send(Client, Text) || Text <- ["1", "2"]],
    First = next(Client, Server),
    Active = inet:getopts(Server, [active]),
    ok = inet:setopts(Server, [{active, once}]),
    {First, Active, next(Client, Server)}.

counted() ->
    {_, Client, Server} = pair([binary, {active, 2}, {packet, 1}]),
    [ok = gen_tcp:send(Client, Text) || Text <- ["1", "2", "3"]],
    Messages = [next(Client, Server) || _ <- [1, 2, 3]],
    {Messages, inet:getopts(Server, [active]), gen_tcp:recv(Server, 0)}.

negative_count() ->
    {_, Client, Server} = pair([binary, {active, 3}]),
    ok = inet:setopts(Server, [{active, 2}]),
    Five = inet:getopts(Server, [active]),
    ok = inet:setopts(Server, [{active, -9}]),
    {Five, next(Client, Server), inet:getopts(Server, [active]),
     inet:setopts(Server, [{active, 40000}])}.

%% The owner of a socket that it closes finds no message about its end.
closed_unread() ->
    {_, Client, Server} = pair([binary, {active, true}]),
    ok = gen_tcp:close(Client),
    ok = wait_for_mail(),
    ok = gen_tcp:close(Server),
    receive Any -> Any after 20 -> nothing end.

wait_for_mail() ->
    case process_info(self(), message_queue_len) of
        {_, 0} -> timer:sleep(1), wait_for_mail();
        _ -> ok
    end.

packets() ->
    [begin
         {_, Client, Server} = pair([binary, {active, false}, {packet, N}]),
         [ok = gen_tcp:send(Client, Text) || Text <- ["one", "", "three"]],
         [gen_tcp:recv(Server, 0) || _ <- [1, 2, 3]]
     end || N <- [1, 2, 4]].

too_long() ->
    {_, Client, Server} = pair([binary, {active, false}, {packet, 1}]),
    {gen_tcp:send(Client, lists:duplicate(300, $x)), gen_tcp:recv(Server, 0)}.

lines() ->
    {_, Client, Server} = pair([list, {active, false}, {packet, line}]),
    ok = gen_tcp:send(Client, "one\ntw"),
    ok = gen_tcp:send(Client, "o\n\n"),
    [gen_tcp:recv(Server, 0) || _ <- [1, 2, 3]].

http() ->
    {_, Client, Server} = pair([binary, {active, false}]),
    ok = inet:setopts(Server, [{packet, http_bin}]),
    ok = gen_tcp:send(Client, "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"),
    [gen_tcp:recv(Server, 0) || _ <- [1, 2, 3]].

closed_by_peer() ->
    {_, Client, Server} = pair([binary, {active, false}]),
    ok = gen_tcp:send(Client, "last"),
    ok = gen_tcp:close(Client),
    Received = [gen_tcp:recv(Server, 0) || _ <- [1, 2, 3]],
    {Received, [gen_tcp:send(Server, "x") || _ <- [1, 2]]}.

closed_passive() ->
    {_, Client, _} = pair([binary, {active, false}]),
    ok = gen_tcp:close(Client),
    {gen_tcp:send(Client, "x"), gen_tcp:recv(Client, 0), inet:setopts(Client, [{active, once}]),
     inet:getopts(Client, [active]), inet:sockname(Client), inet:peername(Client),
     inet:port(Client), gen_tcp:controlling_process(Client, self()),
     gen_tcp:shutdown(Client, write), erlang:port_info(Client)}.

closed_active() ->
    {_, Client, Server} = pair([binary, {active, true}]),
    ok = gen_tcp:send(Client, "last"),
    ok = gen_tcp:close(Client),
    Messages = [next(Client, Server) || _ <- [1, 2]],
    {Messages, gen_tcp:send(Server, "x"), erlang:port_info(Server)}.

closed_twice() ->
    {_, Client, _} = pair([]),
    {gen_tcp:close(Client), gen_tcp:close(Client), inet:close(Client)}.

closed_listener() ->
    {Listener, _, _} = pair([]),
    Self = self(),
    spawn_link(fun() -> Self ! gen_tcp:accept(Listener) end),
    timer:sleep(20),
    ok = gen_tcp:close(Listener),
    {tlib:reply(1000), gen_tcp:accept(Listener)}.

shut_down() ->
    {_, Client, Server} = pair([binary, {active, false}]),
    ok = gen_tcp:shutdown(Client, write),
    End = gen_tcp:recv(Server, 0),
    {End, gen_tcp:send(Client, "x"), gen_tcp:recv(Client, 0), gen_tcp:recv(Client, 0),
     gen_tcp:send(Client, "x")}.

kept_open() ->
    {_, Client, Server} = pair([binary, {active, false}, {exit_on_close, false}]),
    ok = gen_tcp:shutdown(Client, write),
    Received = [gen_tcp:recv(Server, 0) || _ <- [1, 2]],
    {Received, gen_tcp:send(Server, "y"), gen_tcp:recv(Client, 1)}.

timeouts() ->
    {Listener, Client, _} = pair([{active, false}]),
    {gen_tcp:accept(Listener, 10), gen_tcp:recv(Client, 0, 10), gen_tcp:accept(Listener, 0)}.

two_receives() ->
    {_, Client, Server} = pair([binary, {active, false}]),
    Self = self(),
    spawn_link(fun() -> Self ! {first, gen_tcp:recv(Client, 0)} end),
    timer:sleep(20),
    Second = gen_tcp:recv(Client, 0),
    ok = gen_tcp:send(Server, "x"),
    {Second, tlib:reply(1000)}.

new_owner() ->
    {_, Client, Server} = pair([binary, {active, true}, {packet, 1}]),
    ok = gen_tcp:send(Client, "early"),
    timer:sleep(20),
    Self = self(),
    Other = spawn_link(fun() ->
                               Self ! [next(Client, Server) || _ <- [1, 2]],
                               receive stop -> ok end
                       end),
    ok = gen_tcp:controlling_process(Server, Other),
    ok = gen_tcp:send(Client, "late"),
    tlib:reply(1000).

not_owner() ->
    {_, Client, _} = pair([]),
    Self = self(),
    spawn_link(fun() -> Self ! gen_tcp:controlling_process(Client, Self) end),
    {tlib:reply(1000), gen_tcp:controlling_process(Client, self())}.

owner_ends() ->
    {_, Client, Server} = pair([binary, {active, false}]),
    {Other, Ref} = spawn_monitor(fun() -> receive stop -> ok end end),
    ok = gen_tcp:controlling_process(Client, Other),
    Other ! stop,
    receive {'DOWN', Ref, process, Other, normal} -> ok end,
    {gen_tcp:recv(Server, 0), gen_tcp:send(Client, "x")}.

options() ->
    {_, Client, _} = pair([list, {active, false}, {nodelay, true}, {packet, 2}, {send_timeout, 5}]),
    inet:getopts(Client, [active, mode, nodelay, packet, send_timeout, exit_on_close, header,
                          deliver, packet_size, keepalive, delay_send, show_econnreset]).

wrong_options() ->
    {_, Client, _} = pair([]),
    {inet:setopts(Client, [foo]), inet:setopts(Client, [{active, 'maybe'}]),
     inet:getopts(Client, [foo]), ?TRY(gen_tcp:listen(0, [foo])),
     ?TRY(gen_tcp:connect("localhost", 1, [{foo, 1}])), ?TRY(gen_tcp:listen(-1, [])),
     inet:setopts(Client, [{packet, 3}]), inet:setopts(Client, [{mode, x}])}.

wrong_calls() ->
    {Listener, Client, Server} = pair([{active, false}, {packet, 2}]),
    ok = inet:setopts(Server, [{active, true}]),
    {gen_tcp:recv(Listener, 0), gen_tcp:send(Listener, "x"), gen_tcp:accept(Client),
     gen_tcp:recv(Client, 5), gen_tcp:recv(Server, 0), inet:peername(Listener)}.

names() ->
    {Listener, Client, Server} = pair([]),
    {ok, {Address, Number}} = inet:sockname(Listener),
    {ok, Own} = inet:sockname(Client),
    {Address, inet:peername(Client) =:= {ok, {Address, Number}},
     inet:peername(Server) =:= {ok, Own}, inet:sockname(Server) =:= {ok, {Address, Number}},
     is_port(Client), erlang:port_info(Client, connected) =:= {connected, self()},
     erlang:port_info(Client, name)}.

refused() ->
    {ok, Listener} = gen_tcp:listen(0, []),
    {ok, Number} = inet:port(Listener),
    ok = gen_tcp:close(Listener),
    gen_tcp:connect("localhost", Number, []).

in_use() ->
    {ok, Listener} = gen_tcp:listen(0, []),
    {ok, Number} = inet:port(Listener),
    {gen_tcp:listen(Number, []), gen_tcp:listen(Number, [{reuseaddr, true}])}.

trapping() ->
    Before = process_flag(trap_exit, true),
    {_, Client, Server} = pair([binary]),
    ok = gen_tcp:close(Client),
    Messages = [next(Client, Server), receive Any -> Any after 20 -> none end],
    process_flag(trap_exit, Before),
    Messages.

datagrams() ->
    {ok, A} = gen_udp:open(0, [binary, {active, false}]),
    {ok, B} = gen_udp:open(0, [list, {active, false}]),
    {ok, NumberA} = inet:port(A),
    {ok, NumberB} = inet:port(B),
    ok = gen_udp:send(A, "localhost", NumberB, "one"),
    ok = gen_udp:send(A, {127, 0, 0, 1}, NumberB, [<<"tw">>, $o]),
    {ok, {Address, From, First}} = gen_udp:recv(B, 0),
    {ok, {_, _, Second}} = gen_udp:recv(B, 0),
    ok = gen_udp:send(B, {Address, From}, "back"),
    {ok, {_, NumberB, Third}} = gen_udp:recv(A, 0),
    {Address, From =:= NumberA, First, Second, Third, gen_udp:recv(A, 0, 10)}.

datagrams_active() ->
    {ok, A} = gen_udp:open(0, [binary, {active, 2}]),
    {ok, B} = gen_udp:open(0),
    {ok, Number} = inet:port(A),
    {ok, From} = inet:port(B),
    [ok = gen_udp:send(B, localhost, Number, Text) || Text <- ["1", "2"]],
    [[case Part of From -> from; _ -> Part end || Part <- next(A, B)] || _ <- [1, 2, 3]].

datagrams_connected() ->
    {ok, A} = gen_udp:open(0, [binary, {active, false}]),
    {ok, B} = gen_udp:open(0),
    {ok, Number} = inet:port(A),
    None = inet:peername(B),
    Connected = gen_udp:connect(B, localhost, Number),
    Sent = gen_udp:send(B, "x"),
    {ok, {_, _, Data}} = gen_udp:recv(A, 0),
    {None, Connected, Sent, Data, inet:peername(B) =:= {ok, {{127, 0, 0, 1}, Number}}}.

datagrams_closed() ->
    {ok, A} = gen_udp:open(0, [{active, false}]),
    {ok, Number} = inet:port(A),
    InUse = gen_udp:open(Number),
    Closed = gen_udp:close(A),
    {InUse, Closed, gen_udp:send(A, localhost, 1, "x"), gen_udp:recv(A, 0), gen_udp:close(A)}.

%% A second line for localhost in /etc/hosts gives the address twice.
host() ->
    {ok, Addresses} = inet:getaddrs("localhost", inet),
    {inet:getaddr("localhost", inet), inet:getaddr({127, 0, 0, 1}, inet), lists:usort(Addresses)}.
