%% The functions of gen_udp on simulated sockets: see fermata_inet.erl. Datagrams are neither lost
%% nor do those of one sender to one receiver pass each other.
-module(fermata_udp).
-export([close/1, connect/2, connect/3, controlling_process/2, fdopen/2, open/1, open/2, recv/2,
         recv/3, send/2, send/3, send/4, send/5]).

open(Number) -> open(Number, []).

open(Number, Options) ->
    Known = fermata_inet:read_options(Options, "gen_udp:open/2"),
    (is_integer(Number) andalso Number >= 0 andalso Number < 65536) orelse exit(badarg),
    Ref = make_ref(),
    Socket = fermata:spawn_port(fermata_datagram, start, [self(), Ref, Number, Known]),
    receive
        {Ref, ok} -> {ok, Socket};
        {Ref, Error} -> Error
    end.

close(Socket) -> fermata_tcp:close(Socket).

connect(Socket, {Host, Number}) -> connect(Socket, Host, Number);
connect(_, _) -> fermata:refuse("gen_udp:connect/2 with this address").

connect(Socket, Host, Number) ->
    fermata_inet:check_address(Host, "gen_udp:connect/3"),
    fermata_inet:request(Socket, {connect, Number}).

send(Socket, Data) ->
    case fermata_inet:call(Socket, peername) of
        closed -> {error, closed};
        {ok, {_, Number}} -> send_to(Socket, Number, Data);
        {error, enotconn} -> {error, edestaddrreq}
    end.

send(Socket, {Host, Number}, Data) -> send(Socket, Host, Number, Data);
send(_, _, _) -> fermata:refuse("gen_udp:send/3 with this address").

send(Socket, {Host, Number}, [], Data) -> send(Socket, Host, Number, Data);
send(Socket, Host, Number, Data) when is_integer(Number) ->
    fermata_inet:check_address(Host, "gen_udp:send/4"),
    send_to(Socket, Number, Data);
send(_, _, _, _) -> fermata:refuse("gen_udp:send/4 with ancillary data").

send(Socket, Host, Number, [], Data) -> send(Socket, Host, Number, Data);
send(_, _, _, _, _) -> fermata:refuse("gen_udp:send/5 with ancillary data").

%% A datagram to a number that no socket has is lost.
send_to(Socket, Number, Data) ->
    Bytes = try iolist_to_binary(Data) catch error:badarg -> einval end,
    case persistent_term:get({fermata_socket, send, Socket}, none) of
        none -> {error, closed};
        _ when Bytes =:= einval -> {error, einval};
        Own ->
            case persistent_term:get({fermata_socket, udp, Number}, none) of
                none -> ok;
                Other -> fermata:port_process(Other) ! {datagram, Own, Bytes}
            end,
            ok
    end.

recv(Socket, Length) -> recv(Socket, Length, infinity).

recv(Socket, Length, Timeout) when is_integer(Length), Length >= 0 ->
    fermata_inet:request(Socket, {recv, Timeout}).

fdopen(_, _) -> fermata:refuse("gen_udp:fdopen/2").

controlling_process(Socket, Owner) when is_pid(Owner) ->
    fermata_inet:hand_over(Socket, Owner, fun() -> pass_on(Socket, Owner) end).

pass_on(Socket, Owner) ->
    receive
        {udp, Socket, _, _, _} = Message ->
            Owner ! Message,
            pass_on(Socket, Owner)
    after 0 ->
        ok
    end.
