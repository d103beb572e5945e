%% The process of a socket that listens: see fermata_inet.erl.
%%
%% Connections and the processes that accept them wait in its mailbox. It looks for a connection
%% only when a process accepts, so the order in which the two come does not matter.
-module(fermata_listener).
-export([start/4]).

-record(listener, {monitor, number, options}).

start(Owner, Ref, Wanted, Options) ->
    case fermata_inet:claim_number(tcp, Wanted, fermata:own_port()) of
        {ok, Number} ->
            Monitor = erlang:monitor(process, Owner),
            Owner ! {Ref, ok},
            idle(#listener{monitor = Monitor, number = Number, options = Options});
        Error ->
            fermata:port_shut(),
            Owner ! {Ref, Error}
    end.

idle(#listener{monitor = Monitor} = L) ->
    receive
        {call, From, Ref, {accept, Timeout}} -> accepting([{Timeout, From, Ref}], L);
        {call, From, Ref, close} -> close(From, Ref, L);
        {call, From, Ref, Request} -> idle(answer(Request, From, Ref, L));
        {'DOWN', Monitor, _, _, _} -> shut(L)
    end.

%% Others that accept wait in the mailbox until the first one has got its connection, unless their
%% time is limited.
accepting([], L) ->
    idle(L);
accepting([{_, First, FirstRef} | Later] = Queue, #listener{monitor = Monitor} = L) ->
    Limit = lists:min([Timeout || {Timeout, _, _} <- Queue]), % a number < infinity
    receive
        {syn, Socket} ->
            fermata:port_process(Socket) !
                {accepted, First, FirstRef, L#listener.options, self()},
            accepting(Later, L);
        {call, From, Ref, close} ->
            refuse(Queue),
            close(From, Ref, L);
        {call, From, Ref, {accept, Timeout}} when Timeout =/= infinity ->
            accepting(Queue ++ [{Timeout, From, Ref}], L);
        {call, From, Ref, Request} when is_atom(Request); element(1, Request) =/= accept ->
            accepting(Queue, answer(Request, From, Ref, L));
        {'DOWN', Monitor, _, _, _} ->
            refuse(Queue),
            shut(L)
    after Limit ->
        {_, Late, LateRef} = Entry = lists:keyfind(Limit, 1, Queue),
        Late ! {LateRef, {error, timeout}},
        accepting(lists:delete(Entry, Queue), L)
    end.

refuse(Queue) -> [Acceptor ! {Ref, closed} || {_, Acceptor, Ref} <- Queue].

answer(Request, From, Ref, L) ->
    {Reply, Next} = handle(Request, L),
    From ! {Ref, Reply},
    Next.

handle({setopts, Changes}, #listener{options = Options} = L) ->
    case fermata_inet:change_options(Changes, Options) of
        {ok, Changed} -> {ok, L#listener{options = Changed}};
        Error -> {Error, L}
    end;
handle({getopts, Keys}, #listener{options = Options} = L) ->
    {fermata_inet:show_options(Keys, Options), L};
handle(sockname, #listener{number = Number, options = Options} = L) ->
    Address = case Options of
                  #{ip := Ip} when is_tuple(Ip) -> Ip;
                  #{ip := loopback} -> fermata_inet:local_address(Options);
                  #{family := inet6} -> {0, 0, 0, 0, 0, 0, 0, 0};
                  _ -> {0, 0, 0, 0}
              end,
    {{ok, {Address, Number}}, L};
handle({release, Owner, Owner}, L) -> {ok, L};
handle({release, _, _}, L) -> {{released, false}, L};
handle({own, Owner, _}, #listener{monitor = Monitor} = L) ->
    erlang:demonitor(Monitor, [flush]),
    {ok, L#listener{monitor = erlang:monitor(process, Owner)}};
handle(_, L) -> {{error, enotconn}, L}.

close(From, Ref, #listener{monitor = Monitor} = L) ->
    erlang:demonitor(Monitor, [flush]),
    persistent_term:erase({fermata_socket, tcp, L#listener.number}),
    fermata:port_shut(),
    From ! {Ref, ok},
    closed().

shut(L) ->
    persistent_term:erase({fermata_socket, tcp, L#listener.number}),
    fermata:port_shut(),
    closed().

%% Connections that nobody accepted are closed.
closed() ->
    receive
        {syn, Socket} -> fermata:port_process(Socket) ! abandoned;
        {call, From, Ref, _} -> From ! {Ref, closed}
    end,
    closed().
