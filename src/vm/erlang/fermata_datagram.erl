%% The process of a socket of UDP: see fermata_inet.erl. {datagram, From, Bytes} waits in its
%% mailbox until somebody wants it.
-module(fermata_datagram).
-export([start/4]).

-record(socket, {owner, monitor, options, number, peer = none, pending = none}).

start(Owner, Ref, Wanted, Options) ->
    Self = fermata:own_port(),
    case fermata_inet:claim_number(udp, Wanted, Self) of
        {ok, Number} ->
            Address = fermata_inet:local_address(Options),
            persistent_term:put({fermata_socket, send, Self}, {Address, Number}),
            Monitor = erlang:monitor(process, Owner),
            Owner ! {Ref, ok},
            serve(#socket{owner = Owner, monitor = Monitor, options = Options,
                          number = Number});
        Error ->
            fermata:port_shut(),
            Owner ! {Ref, Error}
    end.

serve(#socket{options = #{active := false}, pending = none, monitor = Monitor} = S) ->
    receive
        {call, From, Ref, Request} -> call(Request, From, Ref, S);
        {'DOWN', Monitor, _, _, _} -> shut(S)
    end;
serve(#socket{monitor = Monitor, pending = Pending} = S) ->
    Timeout = case Pending of {_, _, T} -> T; none -> infinity end,
    receive
        {call, From, Ref, Request} -> call(Request, From, Ref, S);
        {datagram, {Address, Number}, Bytes} -> serve(deliver(Address, Number, Bytes, S));
        {'DOWN', Monitor, _, _, _} -> shut(S)
    after Timeout ->
        {Waiting, WaitingRef, _} = Pending,
        Waiting ! {WaitingRef, {error, timeout}},
        serve(S#socket{pending = none})
    end.

%% A socket that is connected hears its peer only.
deliver(_, Number, _, #socket{peer = Peer} = S) when Peer =/= none, Peer =/= Number -> S;
deliver(Address, Number, Bytes, #socket{pending = {From, Ref, _}} = S) ->
    From ! {Ref, {ok, {Address, Number, shape(Bytes, S)}}},
    S#socket{pending = none};
deliver(Address, Number, Bytes, #socket{owner = Owner} = S) ->
    Owner ! {udp, fermata:own_port(), Address, Number, shape(Bytes, S)},
    count(S).

shape(Bytes, #socket{options = #{mode := binary}}) -> Bytes;
shape(Bytes, _) -> binary_to_list(Bytes).

count(#socket{options = #{active := once} = Options} = S) ->
    S#socket{options = Options#{active := false}};
count(#socket{options = #{active := 1} = Options} = S) ->
    become_passive(S#socket{options = Options#{active := {passive, false}}});
count(#socket{options = #{active := N} = Options} = S) when is_integer(N) ->
    S#socket{options = Options#{active := N - 1}};
count(S) ->
    S.

become_passive(#socket{options = #{active := {passive, false}} = Options, owner = Owner} = S) ->
    Owner ! {udp_passive, fermata:own_port()},
    S#socket{options = Options#{active := false}};
become_passive(S) ->
    S.

call(close, From, Ref, #socket{monitor = Monitor} = S) ->
    erlang:demonitor(Monitor, [flush]),
    leave(S),
    From ! {Ref, ok},
    closed();
call({recv, _}, From, Ref, #socket{options = #{active := Active}} = S) when Active =/= false ->
    From ! {Ref, {error, einval}},
    serve(S);
call({recv, Timeout}, From, Ref, #socket{pending = none} = S) ->
    serve(S#socket{pending = {From, Ref, Timeout}});
call({recv, _}, From, Ref, S) ->
    From ! {Ref, {error, ealready}},
    serve(S);
call(Request, From, Ref, S) ->
    {Reply, Next} = handle(Request, S),
    From ! {Ref, Reply},
    serve(Next).

handle({setopts, Changes}, #socket{options = Before} = S) ->
    case fermata_inet:change_options(Changes, Before) of
        {ok, Options} -> {ok, become_passive(S#socket{options = Options})};
        Error -> {Error, S}
    end;
handle({getopts, Keys}, #socket{options = Options} = S) ->
    {fermata_inet:show_options(Keys, Options), S};
handle(sockname, #socket{peer = none, options = #{family := inet}, number = Number} = S) ->
    {{ok, {{0, 0, 0, 0}, Number}}, S};
handle(sockname, #socket{options = Options, number = Number} = S) ->
    {{ok, {fermata_inet:local_address(Options), Number}}, S};
handle(peername, #socket{peer = none} = S) -> {{error, enotconn}, S};
handle(peername, #socket{peer = Peer, options = Options} = S) ->
    {{ok, {fermata_inet:local_address(Options), Peer}}, S};
handle({connect, Number}, S) -> {ok, S#socket{peer = Number}};
handle(info, #socket{owner = Owner} = S) ->
    {[{name, "udp_inet"}, {links, [Owner]}, {id, 0}, {connected, Owner}, {input, 0},
      {output, 0}, {os_pid, undefined}], S};
handle({release, _, New}, #socket{owner = New} = S) -> {ok, S};
handle({release, Owner, _}, #socket{owner = Owner, options = Options} = S) ->
    #{active := Active} = Options,
    {{released, Active}, S#socket{options = Options#{active := false}}};
handle({release, _, _}, S) -> {{error, not_owner}, S};
handle({own, Owner, Active}, #socket{monitor = Monitor, options = Options} = S) ->
    erlang:demonitor(Monitor, [flush]),
    {ok, S#socket{owner = Owner, monitor = erlang:monitor(process, Owner),
                  options = Options#{active := Active}}};
handle(_, S) -> {{error, einval}, S}.

shut(S) ->
    leave(S),
    closed().

leave(#socket{number = Number, pending = Pending}) ->
    persistent_term:erase({fermata_socket, send, fermata:own_port()}),
    persistent_term:erase({fermata_socket, udp, Number}),
    fermata:port_shut(),
    case Pending of
        {From, Ref, _} -> From ! {Ref, closed};
        none -> ok
    end.

closed() ->
    receive {call, From, Ref, _} -> From ! {Ref, closed} end,
    closed().
