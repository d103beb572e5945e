%% gen_udp between processes of the test, on simulated sockets.
%%
%% expect: ask --strategy dpor => proved, assuming sockets as simulated
%% expect: two_askers --strategy dpor => proved
%% expect: first_wins --strategy dpor => bug
%% expect: active --strategy dpor => proved
%% expect: options --strategy dpor => proved
%% expect: closed_by_other --strategy dpor => bug
%% expect: elsewhere => lost-control
-module(udp).
-export([ask/0, two_askers/0, first_wins/0, active/0, options/0, closed_by_other/0, elsewhere/0]).

serve(_, 0) -> ok;
serve(Socket, N) ->
    {ok, {Address, Number, Data}} = gen_udp:recv(Socket, 0),
    ok = gen_udp:send(Socket, Address, Number, ["re: ", Data]),
    serve(Socket, N - 1).

start(N) ->
    Self = self(),
    spawn_link(fun() ->
                       {ok, Socket} = gen_udp:open(0, [binary, {active, false}]),
                       {ok, Number} = inet:port(Socket),
                       Self ! {number, Number},
                       serve(Socket, N),
                       ok = gen_udp:close(Socket)
               end),
    receive {number, Number} -> Number end.

ask(Number, Text) ->
    {ok, Socket} = gen_udp:open(0, [list, {active, false}]),
    ok = gen_udp:send(Socket, "localhost", Number, Text),
    {ok, {{127, 0, 0, 1}, Number, Answer}} = gen_udp:recv(Socket, 0),
    ok = gen_udp:close(Socket),
    Answer.

ask() ->
    "re: hi" = ask(start(1), "hi").

two_askers() ->
    Self = self(),
    Number = start(2),
    [spawn_link(fun() -> Self ! {Text, ask(Number, Text)} end) || Text <- ["a", "b"]],
    ["re: a", "re: b"] = [receive {Text, Answer} -> Answer end || Text <- ["a", "b"]].

%% The order of datagrams of two senders is not given.
first_wins() ->
    {ok, Socket} = gen_udp:open(0, [binary, {active, false}]),
    {ok, Number} = inet:port(Socket),
    [spawn_link(fun() ->
                        {ok, Own} = gen_udp:open(0),
                        ok = gen_udp:send(Own, {127, 0, 0, 1}, Number, Text)
                end) || Text <- ["a", "b"]],
    {ok, {_, _, <<"a">>}} = gen_udp:recv(Socket, 0),
    {ok, {_, _, <<"b">>}} = gen_udp:recv(Socket, 0).

active() ->
    {ok, Socket} = gen_udp:open(0, [binary, {active, 2}]),
    {ok, Number} = inet:port(Socket),
    {ok, Other} = gen_udp:open(0),
    ok = gen_udp:connect(Other, localhost, Number),
    {ok, {_, From}} = inet:sockname(Other),
    [ok = gen_udp:send(Other, Text) || Text <- ["1", "2", "3"]],
    receive {udp, Socket, {127, 0, 0, 1}, From, <<"1">>} -> ok end,
    receive {udp, Socket, {127, 0, 0, 1}, From, <<"2">>} -> ok end,
    receive {udp_passive, Socket} -> ok end,
    ok = inet:setopts(Socket, [{active, once}]),
    receive {udp, Socket, {127, 0, 0, 1}, From, <<"3">>} -> ok end.

options() ->
    {ok, Socket} = gen_udp:open(5353, [{active, false}]),
    {error, eaddrinuse} = gen_udp:open(5353),
    {ok, {{0, 0, 0, 0}, 5353}} = inet:sockname(Socket),
    {ok, [{active, false}, {mode, list}]} = inet:getopts(Socket, [active, mode]),
    {error, timeout} = gen_udp:recv(Socket, 0, 10),
    ok = gen_udp:send(Socket, localhost, 1, "nobody"),
    ok = gen_udp:close(Socket),
    {error, closed} = gen_udp:send(Socket, localhost, 1, "nobody"),
    {error, closed} = gen_udp:recv(Socket, 0),
    {ok, _} = gen_udp:open(5353).

closed_by_other() ->
    {ok, Socket} = gen_udp:open(0, [{active, false}]),
    spawn_link(fun() -> gen_udp:close(Socket) end),
    ok = gen_udp:send(Socket, localhost, 1, "late").

elsewhere() ->
    {ok, Socket} = gen_udp:open(0),
    gen_udp:send(Socket, {8, 8, 8, 8}, 53, "question").
