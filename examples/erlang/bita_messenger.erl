%% An instant messenger, one of the actor programs of the Bita paper, written anew. Users log in
%% at a server, send each other messages through it, and log out.
%%
%% logged_out/0 is wrong: the server looks up the receiver of a message without thinking of one
%% who has just left, and falls over. logged_out_fixed/0 tells the sender.
%%
%% expect: logged_out => bug,abnormal-exit
%% expect: logged_out --strategy coverage --criterion pr --max-runs 10 => bug
%% expect: logged_out_fixed => proved
-module(bita_messenger).
-export([logged_out/0, logged_out_fixed/0]).

logged_out() -> chat(racy).
logged_out_fixed() -> chat(fixed).

chat(Kind) ->
    Server = spawn(fun() -> server(Kind, #{}) end),
    Self = self(),
    {Alice, Monitor} = spawn_monitor(fun() -> receive begin_chat -> alice(Server) end end),
    Bob = spawn(fun() -> bob(Server, Self) end),
    receive bob_is_here -> ok end,
    Alice ! begin_chat,
    Bob ! leave,
    receive {'DOWN', Monitor, process, _, Reason} -> normal = Reason end,
    receive bob_has_left -> ok end,
    Server ! stop.

alice(Server) ->
    Monitor = monitor(process, Server),
    Server ! {login, alice, self()},
    receive {ok, login} -> ok end,
    Server ! {message, alice, bob, "hello"},
    receive
        delivered -> ok;
        offline -> ok;
        {'DOWN', Monitor, process, _, Reason} -> exit({server_gone, Reason})
    end.

bob(Server, Main) ->
    Server ! {login, bob, self()},
    receive {ok, login} -> Main ! bob_is_here end,
    receive leave -> Server ! {logout, bob} end,
    Main ! bob_has_left.

server(Kind, Users) ->
    receive
        {login, Name, Pid} ->
            Pid ! {ok, login},
            server(Kind, Users#{Name => Pid});
        {logout, Name} ->
            server(Kind, maps:remove(Name, Users));
        {message, From, To, Text} ->
            deliver(Kind, maps:get(From, Users), To, Text, Users),
            server(Kind, Users);
        stop ->
            ok
    end.

deliver(_, Sender, To, Text, Users) when is_map_key(To, Users) ->
    maps:get(To, Users) ! {message, Text},
    Sender ! delivered;
deliver(fixed, Sender, _, _, _) ->
    Sender ! offline.
