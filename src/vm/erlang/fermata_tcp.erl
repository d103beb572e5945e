%% The functions of gen_tcp on simulated sockets: see fermata_inet.erl.
-module(fermata_tcp).
-export([accept/1, accept/2, close/1, connect/2, connect/3, connect/4, controlling_process/2,
         fdopen/2, listen/2, recv/2, recv/3, send/2, shutdown/2, unrecv/2]).

listen(Number, Options) ->
    Known = fermata_inet:read_options(Options, "gen_tcp:listen/2"),
    Wanted = case Number of
                 0 -> maps:get(port, Known);
                 _ -> Number
             end,
    (is_integer(Wanted) andalso Wanted >= 0 andalso Wanted < 65536) orelse exit(badarg),
    Ref = make_ref(),
    Socket = fermata:spawn_port(fermata_listener, start, [self(), Ref, Wanted, Known]),
    receive
        {Ref, ok} -> {ok, Socket};
        {Ref, Error} -> Error
    end.

accept(Socket) -> accept(Socket, infinity).

accept(Socket, Timeout) ->
    fermata_inet:request(Socket, {accept, Timeout}).

connect(Address, Options) ->
    case Address of
        #{family := Family, addr := Host, port := Number}
          when Family =:= inet; Family =:= inet6 ->
            connect(Host, Number, [Family | Options]);
        _ -> fermata:refuse("gen_tcp:connect/2 with this address")
    end.

connect(Host, Number, Options) -> connect(Host, Number, Options, infinity).

%% A connection is there as soon as the listener has it in its queue, before it is accepted.
connect(Host, Number, Options, _Timeout) ->
    Known = fermata_inet:read_options(Options, "gen_tcp:connect/3"),
    (is_integer(Number) andalso Number >= 0 andalso Number < 65536) orelse exit(badarg),
    fermata_inet:check_address(Host, "gen_tcp:connect/3"),
    case persistent_term:get({fermata_socket, tcp, Number}, none) of
        none -> {error, econnrefused};
        Listener -> open(Listener, Number, Known)
    end.

open(Listener, Number, Known) ->
    Client = fermata:spawn_port(fermata_stream, start_client, [self(), Known, Number]),
    Server = fermata:spawn_port(fermata_stream, start_server, [Number, Client]),
    fermata:join_ports(Client, Server),
    persistent_term:put({fermata_socket, send, Client}, fermata_inet:header(Known)),
    fermata:port_process(Listener) ! {syn, Server},
    {ok, Client}.

%% The process of a closed socket sends no more, so the message is in the mailbox now or never.
close(Socket) ->
    _ = fermata_inet:call(Socket, close),
    receive {tcp_closed, Socket} -> ok after 0 -> ok end.

send(Socket, Data) ->
    try iolist_to_binary(Data) of
        Bytes -> send_bytes(Socket, Bytes)
    catch
        error:badarg -> {error, einval}
    end.

send_bytes(Socket, Bytes) ->
    case is_port(Socket) andalso fermata:port_peer(Socket) of
        Peer when is_pid(Peer) ->
            case fermata:send_open(Peer, {fermata_socket, send, Socket}, Bytes) of
                ok -> ok;
                closed -> fermata_inet:request(Socket, send)
            end;
        _ ->
            fermata_inet:request(Socket, send)
    end.

recv(Socket, Length) -> recv(Socket, Length, infinity).

recv(Socket, Length, Timeout) when is_integer(Length), Length >= 0 ->
    fermata_inet:request(Socket, {recv, Length, Timeout}).

unrecv(_, _) -> fermata:refuse("gen_tcp:unrecv/2").
fdopen(_, _) -> fermata:refuse("gen_tcp:fdopen/2").

shutdown(Socket, How) when How =:= read; How =:= write; How =:= read_write ->
    fermata_inet:request(Socket, {shutdown, How}).

controlling_process(Socket, Owner) when is_pid(Owner) ->
    fermata_inet:hand_over(Socket, Owner, fun() -> pass_on(Socket, Owner) end);
controlling_process(_, _) ->
    {error, function_clause}.

pass_on(Socket, Owner) ->
    receive
        {Tag, Socket, _} = Message when Tag =:= tcp; Tag =:= tcp_error; Tag =:= http ->
            Owner ! Message,
            pass_on(Socket, Owner);
        {tcp_closed, Socket} = Message ->
            Owner ! Message,
            pass_on(Socket, Owner)
    after 0 ->
        ok
    end.
