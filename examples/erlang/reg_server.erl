%% A registration server: processes attach to it and get a number, of which there are only a few;
%% a process that ends is detached. It is the second small benchmark of the Concuerror paper,
%% written anew.
%%
%% attach_noping/0 and attach/0 are the two tests of the paper's Figure 8 and Table II; both hold.
%% start_twice/0 is wrong: two starters at once both find no server, and one register/2 raises.
%% start_twice_fixed/0 lets register/2 itself decide.
%%
%% expect: attach_noping --strategy dpor => proved
%% expect: attach --strategy dpor => proved
%% expect: attach_noping --strategy bounded --bound 2 => proved,executions<=17
%% expect: start_twice => bug,abnormal-exit
%% expect: start_twice_fixed => proved
-module(reg_server).
-export([attach_noping/0, attach/0, start_twice/0, start_twice_fixed/0]).

-define(LIMIT, 2).

attach_noping() ->
    ok = start(checked),
    ok = beside(fun() -> {number, _} = request(attach) end),
    stop().

attach() ->
    ok = start(checked),
    ok = beside(fun() ->
                        {number, N} = request(attach),
                        {number, N} = request(ping)
                end),
    stop().

%% Here and in another process at once, as in the paper: with the server three processes.
beside(Fun) ->
    Self = self(),
    spawn(fun() -> Fun(), Self ! done end),
    Fun(),
    receive done -> ok end.

start_twice() ->
    ok = parallel([fun() -> start(unchecked) end, fun() -> start(unchecked) end]),
    stop().

start_twice_fixed() ->
    ok = parallel([fun() -> start(checked) end, fun() -> start(checked) end]),
    stop().

%% Runs the functions at once and waits until all have ended well.
parallel(Funs) ->
    Monitors = [spawn_monitor(Fun) || Fun <- Funs],
    [receive {'DOWN', M, process, _, Reason} -> normal = Reason end || {_, M} <- Monitors],
    ok.

start(How) ->
    case whereis(reg_server) of
        undefined -> start_new(How);
        _ -> ok
    end.

start_new(unchecked) ->
    Pid = spawn(fun() -> idle() end),
    register(reg_server, Pid),
    ok;
start_new(checked) ->
    Pid = spawn(fun() -> idle() end),
    try register(reg_server, Pid) of
        true -> ok
    catch
        error:badarg -> exit(Pid, kill), ok
    end.

idle() -> loop(lists:seq(1, ?LIMIT), #{}).

stop() ->
    Monitor = monitor(process, reg_server),
    reg_server ! stop,
    receive {'DOWN', Monitor, process, _, _} -> ok end.

request(What) ->
    Monitor = monitor(process, reg_server),
    reg_server ! {What, self(), Monitor},
    receive
        {Monitor, Reply} -> demonitor(Monitor, [flush]), Reply;
        {'DOWN', Monitor, process, _, Reason} -> exit(Reason)
    end.

%% Free numbers, and what is attached: process => {number, monitor}.
loop(Free, Attached) ->
    receive
        {attach, Pid, Ref} -> attach(Pid, Ref, Free, Attached);
        {detach, Pid, Ref} ->
            Pid ! {Ref, detached},
            detach(Pid, Free, Attached);
        {ping, Pid, Ref} ->
            Pid ! {Ref, number(Pid, Attached)},
            loop(Free, Attached);
        {'DOWN', _, process, Pid, _} -> detach(Pid, Free, Attached);
        stop -> ok
    end.

attach(Pid, Ref, Free, Attached) when is_map_key(Pid, Attached) ->
    Pid ! {Ref, number(Pid, Attached)},
    loop(Free, Attached);
attach(Pid, Ref, [], Attached) ->
    Pid ! {Ref, full},
    loop([], Attached);
attach(Pid, Ref, [N | Free], Attached) ->
    Pid ! {Ref, {number, N}},
    loop(Free, Attached#{Pid => {N, monitor(process, Pid)}}).

detach(Pid, Free, Attached) ->
    case maps:take(Pid, Attached) of
        {{N, Monitor}, Left} ->
            demonitor(Monitor, [flush]),
            loop(lists:sort([N | Free]), Left);
        error ->
            loop(Free, Attached)
    end.

number(Pid, Attached) ->
    case Attached of
        #{Pid := {N, _}} -> {number, N};
        #{} -> none
    end.
