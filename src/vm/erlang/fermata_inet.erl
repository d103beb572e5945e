%% Simulated sockets: options, addresses, and the functions of inet.
%%
%% A socket is a port (fermata_port.erl) whose process is explored like any other, so every
%% delivery, close and error is a step. The process lives to the end of the run: when its socket is
%% closed it answers with that. There is one address, the loopback; nothing leaves the machine.
%%
%%     fermata_listener    a socket that listens
%%     fermata_stream      one end of a connection
%%     fermata_datagram    a socket of UDP
%%
%% Two kinds of persistent terms are what these processes share:
%%
%%     {fermata_socket, tcp | udp, Number} => Socket      who has this port number
%%     {fermata_socket, send, Socket} => HeaderSize       it can send (fermata:send_open/3)
-module(fermata_inet).
-export([cancel_monitor/1, close/1, getaddr/2, getaddr/3, getaddrs/2, getaddrs/3, gethostbyname/1,
         gethostbyname/2, gethostbyname/3, gethostname/0, getopts/2, getstat/1, getstat/2, info/1,
         monitor/1, peername/1, port/1, setopts/2, sockname/1]).
-export([call/2, request/2, hand_over/3, read_options/2, change_options/2, show_options/2,
         local_address/1, check_address/2, claim_number/3, header/1, next_active/2]).

%% ---- the functions of inet ----

setopts(Socket, Options) -> ask(Socket, {setopts, Options}).
getopts(Socket, Options) -> ask(Socket, {getopts, Options}).
sockname(Socket) -> ask(Socket, sockname).
peername(Socket) -> ask(Socket, peername).
close(Socket) -> fermata_tcp:close(Socket).

port(Socket) ->
    case ask(Socket, sockname) of
        {ok, {_, Number}} -> {ok, Number};
        Error -> Error
    end.

getstat(_) -> fermata:refuse("inet:getstat/1").
getstat(_, _) -> fermata:refuse("inet:getstat/2").
info(_) -> fermata:refuse("inet:info/1").
monitor(_) -> fermata:refuse("inet:monitor/1").
cancel_monitor(_) -> fermata:refuse("inet:cancel_monitor/1").

gethostname() -> {ok, "localhost"}.

getaddr(Name, Family) -> getaddr(Name, Family, infinity).
getaddr(Name, Family, _) ->
    check_address(Name, "inet:getaddr/2"),
    {ok, loopback(Family)}.

getaddrs(Name, Family) -> getaddrs(Name, Family, infinity).
getaddrs(Name, Family, _) ->
    check_address(Name, "inet:getaddrs/2"),
    {ok, [loopback(Family)]}.

gethostbyname(Name) -> gethostbyname(Name, inet).
gethostbyname(Name, Family) -> gethostbyname(Name, Family, infinity).
gethostbyname(Name, Family, _) ->
    check_address(Name, "inet:gethostbyname/1"),
    Length = case Family of inet -> 4; inet6 -> 16 end,
    {ok, {hostent, "localhost", [], Family, Length, [loopback(Family)]}}.

%% ---- calls to the process of a socket ----

ask(Socket, Request) ->
    case call(Socket, Request) of
        closed -> {error, einval};
        Reply -> Reply
    end.

%% For gen_tcp and gen_udp: a socket that is closed is an error of that name.
request(Socket, Request) ->
    case call(Socket, Request) of
        closed -> {error, closed};
        Reply -> Reply
    end.

%% Messages that have come already go to the new owner (PassOn), before the socket is active again.
hand_over(Socket, Owner, PassOn) ->
    case request(Socket, {release, self(), Owner}) of
        {released, Active} ->
            PassOn(),
            request(Socket, {own, Owner, Active});
        Other -> Other
    end.

%% closed: the process says that the socket is closed, or Socket never was one.
%%
%% Timeouts are those of the process of the socket: they begin when it has looked for data and has
%% not found any, so data that is there never comes too late.
call(Socket, Request) ->
    case fermata:port_kind(Socket) of
        socket ->
            Ref = make_ref(),
            fermata:port_process(Socket) ! {call, self(), Ref, Request},
            receive {Ref, Reply} -> Reply end;
        _ when is_port(Socket) -> closed;
        _ when element(1, Socket) =:= '$inet' ->
            fermata:refuse("a socket of {inet_backend, socket}");
        _ -> closed
    end.

%% ---- addresses ----

loopback(inet6) -> {0, 0, 0, 0, 0, 0, 0, 1};
loopback(_) -> {127, 0, 0, 1}.

local_address(#{family := Family}) -> loopback(Family).

%% Ends the run if the address is not the loopback.
check_address(Address, Function) ->
    case is_loopback(Address) of
        true -> ok;
        false ->
            Text = io_lib:format("~ts of ~tp: only the loopback is simulated",
                                 [Function, Address]),
            fermata:refuse(unicode:characters_to_binary(Text))
    end.

is_loopback({127, _, _, _}) -> true;
is_loopback({0, 0, 0, 0}) -> true;
is_loopback({0, 0, 0, 0, 0, 0, 0, Last}) -> Last < 2;
is_loopback(Word) when Word =:= localhost; Word =:= any; Word =:= loopback -> true;
is_loopback("localhost") -> true;
is_loopback(Name) when is_list(Name) ->
    case inet:parse_address(Name) of
        {ok, Address} -> is_loopback(Address);
        {error, _} -> false
    end;
is_loopback(_) -> false.

%% The number that a socket listens on, or eaddrinuse. 0 stands for any number.
claim_number(Kind, 0, Socket) ->
    claim_from(Kind, fermata:port_number(Socket), Socket);
claim_number(Kind, Number, Socket) ->
    case fermata:claim({fermata_socket, Kind, Number}, Socket) of
        true -> {ok, Number};
        false -> {error, eaddrinuse}
    end.

claim_from(Kind, Number, Socket) ->
    case fermata:claim({fermata_socket, Kind, Number}, Socket) of
        true -> {ok, Number};
        false -> claim_from(Kind, Number + 1, Socket)
    end.

%% ---- options ----

defaults() ->
    #{active => true, mode => list, packet => 0, packet_size => 0, buffer => 1460,
      recbuf => 131072, sndbuf => 2626560, nodelay => false, nopush => false, keepalive => false,
      reuseaddr => false, exit_on_close => true, send_timeout => infinity,
      send_timeout_close => false, delay_send => false, header => 0, deliver => term,
      linger => {false, 0}, priority => 0, tos => 0, show_econnreset => false,
      high_watermark => 8192, low_watermark => 4096, high_msgq_watermark => 8192,
      low_msgq_watermark => 4096, line_delimiter => $\n, dontroute => false,
      read_packets => 5, broadcast => false, reuseport => false, reuseport_lb => false,
      exclusiveaddruse => false, ipv6_v6only => false, recvtos => false, recvttl => false,
      recvtclass => false, ttl => 64, tclass => 0, user_timeout => 0, backlog => 5, port => 0,
      ip => any, family => inet}.

%% Reads the options of a new socket; exits with badarg as gen_tcp does.
read_options(Options, Function) ->
    try lists:foldl(fun(Option, Known) -> read_option(Option, Known, Function) end,
                    defaults(), Options)
    catch throw:einval -> exit(badarg)
    end.

%% The same for a socket that is there; einval as inet:setopts does.
change_options(Options, Known) when is_list(Options) ->
    try {ok, lists:foldl(fun(Option, Map) -> change_option(Option, Map) end, Known, Options)}
    catch throw:einval -> {error, einval}
    end;
change_options(_, _) ->
    {error, einval}.

read_option(Word, Known, _) when Word =:= inet; Word =:= inet6 -> Known#{family := Word};
read_option(Word, Known, _) when Word =:= binary; Word =:= list -> Known#{mode := Word};
read_option({Key, Address}, Known, Function) when Key =:= ip; Key =:= ifaddr ->
    check_address(Address, Function),
    Known#{ip := Address, family := family(Address, Known)};
read_option({inet_backend, inet}, Known, _) -> Known;
read_option(Option, Known, Function) ->
    refuse_option(Option, Function),
    set(Option, Known).

family(Address, _) when tuple_size(Address) =:= 8 -> inet6;
family(_, #{family := Family}) -> Family.

%% {active, N} is relative to the count that the socket has.
change_option({active, N}, #{active := Before} = Known) when is_integer(N) ->
    Known#{active := next_active(Before, N)};
change_option(Word, Known) when Word =:= binary; Word =:= list -> Known#{mode := Word};
change_option(Option, Known) ->
    refuse_option(Option, "inet:setopts/2"),
    set(Option, Known).

next_active(Before, N) when is_integer(Before) -> in_range(Before + N);
next_active(_, N) -> in_range(N).

in_range(N) when N > 32767; N < -32768 -> throw(einval);
in_range(N) when N =< 0 -> {passive, false};
in_range(N) -> N.

refuse_option(local, Function) -> refuse_text(local, Function);
refuse_option({Key, _} = Option, Function)
  when Key =:= fd; Key =:= netns; Key =:= bind_to_device; Key =:= inet_backend;
       Key =:= tcp_module; Key =:= udp_module ->
    refuse_text(Option, Function);
refuse_option({header, N} = Option, Function) when N =/= 0 -> refuse_text(Option, Function);
refuse_option({deliver, port} = Option, Function) -> refuse_text(Option, Function);
refuse_option({raw, _, _, _} = Option, Function) -> refuse_text(Option, Function);
refuse_option(_, _) -> ok.

refuse_text(Option, Function) ->
    Text = io_lib:format("~ts with ~tp", [Function, Option]),
    fermata:refuse(unicode:characters_to_binary(Text)).

set({active, N}, Known) when is_integer(N) -> Known#{active := in_range(N)};
set({active, Mode}, Known) when is_boolean(Mode); Mode =:= once -> Known#{active := Mode};
set({active, _}, _) -> throw(einval);
set({mode, Mode}, Known) when Mode =:= binary; Mode =:= list -> Known#{mode := Mode};
set({mode, _}, _) -> throw(einval);
set({packet, raw}, Known) -> Known#{packet := 0};
set({packet, Packet}, Known) ->
    lists:member(Packet, [0, 1, 2, 4, line, asn1, cdr, fcgi, tpkt, sunrm, http, httph, http_bin,
                          httph_bin, ssl_tls]) orelse throw(einval),
    Known#{packet := Packet};
set({Key, Value}, Known) when is_map_key(Key, Known), Key =/= family -> Known#{Key := Value};
set(_, _) -> throw(einval).

show_options(Keys, Known) when is_list(Keys) ->
    try {ok, [{Key, show_option(Key, Known)} || Key <- Keys]}
    catch throw:einval -> {error, einval}
    end;
show_options(_, _) ->
    {error, einval}.

show_option(Key, Known) when is_map_key(Key, Known), Key =/= family, Key =/= backlog,
                             Key =/= port, Key =/= ip ->
    maps:get(Key, Known);
show_option(_, _) -> throw(einval).

%% The bytes that stand before a packet of this kind.
header(#{packet := N}) when is_integer(N) -> N;
header(_) -> 0.
