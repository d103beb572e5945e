%% The process of one end of a connection: see fermata_inet.erl.
%%
%% Messages of the other end: {data, Bytes}, fin (it has closed or shut down), rst (it got data that
%% nobody will read). They wait in the mailbox until somebody wants data: the socket is active, or a
%% process receives from it. Without packets bytes that have come meanwhile are delivered together,
%% as on a real connection; bytes of one send are never divided.
-module(fermata_stream).
-export([start_client/3, start_server/2]).

%% input: open; fin: the other end has closed; shut: nobody reads any more.
%% send: what a send gets that finds this end closed for sending.
-record(end_, {owner, monitor, options, local, remote, peer, listener = none, input = open,
               send = {error, closed}, buffer = <<>>, pending = none, http = none}).

start_client(Owner, Options, Number) ->
    Address = fermata_inet:local_address(Options),
    Self = fermata:own_port(),
    serve(#end_{owner = Owner, monitor = erlang:monitor(process, Owner), options = Options,
                local = {Address, fermata:port_number(Self)}, remote = {Address, Number}}).

%% Waits in the queue of the listener.
start_server(Number, Client) ->
    Self = fermata:own_port(),
    receive
        {accepted, Owner, Ref, Options, Listener} ->
            Address = fermata_inet:local_address(Options),
            persistent_term:put({fermata_socket, send, Self}, fermata_inet:header(Options)),
            Monitor = erlang:monitor(process, Owner),
            Owner ! {Ref, {ok, Self}},
            serve(#end_{owner = Owner, monitor = Monitor, options = Options,
                        local = {Address, Number},
                        remote = {Address, fermata:port_number(Client)},
                        listener = {Listener, Number, Client}});
        abandoned ->
            fermata:port_shut(),
            peer() ! fin,
            closed(false)
    end.

peer() -> fermata:port_peer(fermata:own_port()).

%% ---- waiting ----

serve(End) ->
    case flow(End) of
        {closed, _} -> closed(false);
        #end_{options = #{active := false}, pending = none} = Next -> wait_for_calls(Next);
        #end_{input = open} = Next -> wait(Next);
        Next -> wait_for_calls(Next)
    end.

wait(#end_{monitor = Monitor, pending = Pending} = End) ->
    Timeout = case Pending of {_, _, _, T} -> T; none -> infinity end,
    receive
        {call, From, Ref, Request} -> call(Request, From, Ref, End);
        {data, Bytes} -> serve(take(Bytes, End));
        fin -> serve(End#end_{input = fin});
        rst -> serve(reset(End));
        {'DOWN', Monitor, _, _, Reason} -> orphan(Reason, End)
    after Timeout ->
        serve(reply({error, timeout}, End))
    end.

wait_for_calls(#end_{monitor = Monitor} = End) ->
    receive
        {call, From, Ref, Request} -> call(Request, From, Ref, End);
        rst -> serve(reset(End));
        {'DOWN', Monitor, _, _, Reason} -> orphan(Reason, End)
    end.

take(Bytes, #end_{buffer = Buffer, options = #{packet := 0}} = End) ->
    more(End#end_{buffer = <<Buffer/binary, Bytes/binary>>});
take(Bytes, #end_{buffer = Buffer} = End) ->
    End#end_{buffer = <<Buffer/binary, Bytes/binary>>}.

more(#end_{buffer = Buffer} = End) ->
    receive {data, Bytes} -> more(End#end_{buffer = <<Buffer/binary, Bytes/binary>>})
    after 0 -> End
    end.

%% The other end does not exist any more: data that has come can still be read.
reset(#end_{input = open} = End) ->
    stop_sending(),
    drain(End);
reset(End) ->
    stop_sending(),
    End.

drain(#end_{buffer = Buffer} = End) ->
    receive
        {data, Bytes} -> drain(End#end_{buffer = <<Buffer/binary, Bytes/binary>>})
    after 0 ->
        End#end_{input = fin}
    end.

stop_sending() -> persistent_term:erase({fermata_socket, send, fermata:own_port()}).

%% The owner has ended. If it had ended before the connection was accepted for it, the connection
%% goes back to the listener.
orphan(noproc, #end_{listener = {Listener, Number, Client}}) ->
    stop_sending(),
    Listener ! {syn, fermata:own_port()},
    start_server(Number, Client);
orphan(_, End) ->
    shut(End),
    closed(false).

%% Closes both directions.
shut(#end_{pending = Pending}) ->
    stop_sending(),
    fermata:port_shut(),
    peer() ! fin,
    case Pending of
        {From, Ref, _, _} -> From ! {Ref, closed};
        none -> ok
    end.

%% was_reset: the other end knows that its data is lost.
closed(WasReset) ->
    receive
        {call, From, Ref, _} ->
            From ! {Ref, closed},
            closed(WasReset);
        {data, _} when not WasReset ->
            peer() ! rst,
            closed(true)
    end.

%% ---- calls ----

call(close, From, Ref, #end_{monitor = Monitor} = End) ->
    erlang:demonitor(Monitor, [flush]),
    shut(End),
    From ! {Ref, ok},
    closed(false);
call({recv, Length, Timeout}, From, Ref, End) ->
    serve(receive_for(From, Ref, Length, Timeout, End));
call(Request, From, Ref, End) ->
    {Reply, Next} = handle(Request, End#end_{listener = none}),
    From ! {Ref, Reply},
    serve(Next).

receive_for(From, Ref, _, _, #end_{options = #{active := Active}} = End) when Active =/= false ->
    From ! {Ref, {error, einval}},
    End;
receive_for(From, Ref, _, _, #end_{pending = Pending} = End) when Pending =/= none ->
    From ! {Ref, {error, ealready}},
    End;
receive_for(From, Ref, _, _, #end_{input = shut} = End) ->
    From ! {Ref, {error, enotconn}},
    End;
receive_for(From, Ref, Length, _, #end_{options = #{packet := Packet}} = End)
  when Length > 0, Packet =/= 0 ->
    From ! {Ref, {error, einval}},
    End;
receive_for(From, Ref, Length, Timeout, End) ->
    End#end_{pending = {From, Ref, Length, Timeout}, listener = none}.

handle({setopts, Changes}, #end_{options = Before} = End) ->
    case fermata_inet:change_options(Changes, Before) of
        {ok, Options} -> {ok, apply_options(Before, Options, End)};
        Error -> {Error, End}
    end;
handle({getopts, Keys}, #end_{options = Options} = End) ->
    {fermata_inet:show_options(Keys, Options), End};
handle(sockname, #end_{local = Local} = End) -> {{ok, Local}, End};
handle(peername, #end_{remote = Remote} = End) -> {{ok, Remote}, End};
handle(send, #end_{send = Reply, input = shut} = End) ->
    {Reply, End#end_{send = {error, enotconn}}};
handle(send, #end_{options = #{exit_on_close := false}} = End) -> {{error, closed}, End};
handle(send, End) ->
    {{error, closed}, End#end_{send = {error, enotconn}, input = fin, buffer = <<>>}};
handle(info, #end_{owner = Owner} = End) ->
    {[{name, "tcp_inet"}, {links, [Owner]}, {id, 0}, {connected, Owner}, {input, 0},
      {output, 0}, {os_pid, undefined}], End};
handle({release, _, New}, #end_{owner = New} = End) -> {ok, End};
handle({release, Owner, _}, #end_{owner = Owner, options = Options} = End) ->
    #{active := Active} = Options,
    {{released, Active}, End#end_{options = Options#{active := false}}};
handle({release, _, _}, End) -> {{error, not_owner}, End};
handle({own, Owner, Active}, #end_{monitor = Monitor, options = Options} = End) ->
    erlang:demonitor(Monitor, [flush]),
    {ok, End#end_{owner = Owner, monitor = erlang:monitor(process, Owner),
                  options = Options#{active := Active}}};
handle({shutdown, _}, #end_{input = shut} = End) -> {{error, enotconn}, End};
handle({shutdown, write}, End) ->
    stop_sending(),
    peer() ! fin,
    {ok, End};
handle({shutdown, read}, End) -> {ok, End#end_{input = fin, buffer = <<>>}};
handle({shutdown, read_write}, End) ->
    {ok, Next} = handle({shutdown, write}, End),
    handle({shutdown, read}, Next);
handle({accept, _}, End) -> {{error, einval}, End}.

%% A change of the packet size is a step: sends look at it.
apply_options(Before, Options, End) ->
    case {fermata_inet:header(Before), fermata_inet:header(Options)} of
        {Same, Same} -> ok;
        {_, Header} ->
            Key = {fermata_socket, send, fermata:own_port()},
            case persistent_term:get(Key, none) of
                none -> ok;
                _ -> persistent_term:put(Key, Header)
            end
    end,
    become_passive(End#end_{options = Options}).

become_passive(#end_{options = #{active := {passive, false}} = Options, owner = Owner} = End) ->
    Owner ! {tcp_passive, fermata:own_port()},
    End#end_{options = Options#{active := false}};
become_passive(End) ->
    End.

%% ---- delivering ----

%% Gives away all that can be given away. {closed, End}: the socket has been closed.
flow(#end_{pending = {_, _, Length, _}, buffer = Buffer, input = Input} = End) ->
    case next_packet(Length, Buffer, End) of
        {ok, Packet, Rest} -> reply({ok, Packet}, End#end_{buffer = Rest});
        {error, _} = Error -> reply(Error, End);
        more when Input =:= fin -> break(End);
        more -> End
    end;
flow(#end_{options = #{active := false}} = End) ->
    End;
flow(#end_{buffer = Buffer, input = Input, owner = Owner} = End) ->
    Self = fermata:own_port(),
    case next_packet(0, Buffer, End) of
        {ok, Packet, Rest} ->
            Owner ! {tag(End), Self, Packet},
            flow(http_state({ok, Packet}, count(End#end_{buffer = Rest})));
        {error, Reason} ->
            Owner ! {tcp_error, Self, Reason},
            stop_sending(),
            Owner ! {tcp_closed, Self},
            shut(End),
            {closed, End};
        more when Input =:= fin ->
            end_active(Self, End);
        more -> End
    end.

reply(Reply, #end_{pending = {From, Ref, _, _}} = End) ->
    From ! {Ref, Reply},
    flow(http_state(Reply, End#end_{pending = none})).

%% A process that received learns that the other end has closed.
break(#end_{options = #{exit_on_close := false}} = End) ->
    reply({error, closed}, End);
break(End) ->
    stop_sending(),
    peer() ! fin,
    reply({error, closed}, End#end_{input = shut}).

%% The owner cannot send any more when it has got the message.
end_active(Self, #end_{options = #{exit_on_close := false} = Options, owner = Owner} = End) ->
    Owner ! {tcp_closed, Self},
    End#end_{options = Options#{active := false}};
end_active(Self, #end_{owner = Owner} = End) ->
    stop_sending(),
    Owner ! {tcp_closed, Self},
    shut(End),
    {closed, End}.

count(#end_{options = #{active := once} = Options} = End) ->
    End#end_{options = Options#{active := false}};
count(#end_{options = #{active := 1} = Options} = End) ->
    become_passive(End#end_{options = Options#{active := {passive, false}}});
count(#end_{options = #{active := N} = Options} = End) when is_integer(N) ->
    End#end_{options = Options#{active := N - 1}};
count(End) ->
    End.

%% ---- packets ----

next_packet(0, <<>>, _) -> more;
next_packet(0, Buffer, #end_{options = #{packet := 0}} = End) ->
    {ok, shape(Buffer, End), <<>>};
next_packet(Length, Buffer, #end_{options = #{packet := 0}} = End) ->
    case Buffer of
        <<Packet:Length/binary, Rest/binary>> when Length > 0 ->
            {ok, shape(Packet, End), Rest};
        _ -> more
    end;
next_packet(_, Buffer, #end_{options = #{packet := Packet, line_delimiter := Delimiter,
                                         packet_size := Size}} = End) ->
    Type = case End#end_.http of
               none -> Packet;
               Http -> Http
           end,
    Limit = [{packet_size, Size}],
    Options = case Type of
                  line -> [{line_delimiter, Delimiter} | Limit];
                  _ -> Limit
              end,
    case erlang:decode_packet(Type, Buffer, Options) of
        {ok, Bytes, Rest} when is_binary(Bytes) -> {ok, shape(Bytes, End), Rest};
        {ok, Term, Rest} -> {ok, Term, Rest};
        {more, _} -> more;
        {error, invalid} -> {error, emsgsize};
        {error, _} = Error -> Error
    end.

shape(Bytes, #end_{options = #{mode := binary}}) -> Bytes;
shape(Bytes, _) -> binary_to_list(Bytes).

%% After the first line of a request or an answer come its headers.
http_state({ok, Term}, #end_{options = #{packet := Packet}} = End)
  when Packet =:= http; Packet =:= http_bin ->
    Headers = case Packet of http -> httph; http_bin -> httph_bin end,
    case Term of
        http_eoh -> End#end_{http = none};
        _ when element(1, Term) =:= http_error -> End;
        _ -> End#end_{http = Headers}
    end;
http_state(_, End) ->
    End.

tag(#end_{options = #{packet := Packet}})
  when Packet =:= http; Packet =:= http_bin; Packet =:= httph; Packet =:= httph_bin -> http;
tag(_) -> tcp.
