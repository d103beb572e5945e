%% A server that is started when it is first needed, and told things only while it is there.
%%
%% start/0 asks whether the name is taken and then takes it: two starters at once both find it
%% free, and one register/2 raises badarg. tell/1 sends by name if there is such a name; if the
%% server ends in between the send raises badarg, which the question was to avoid.
%% start_fixed/0 lets register/2 decide.
%%
%% expect: start_twice => bug,abnormal-exit
%% expect: start_twice_fixed => proved
%% expect: tell_while_stopping => bug,abnormal-exit
%% confirm: start_twice => registry whereis register confirmed
%% confirm: start_twice_fixed => registry whereis register not-reached
%% confirm: tell_while_stopping => registry whereis ! confirmed
%% confirm: - => registry whereis register confirmed
-module(start_once).
-export([start/0, start_fixed/0, tell/1, start_twice/0, start_twice_fixed/0,
         tell_while_stopping/0]).

start() ->
    case whereis(start_once) of
        undefined ->
            Pid = spawn(fun loop/0),
            true = register(start_once, Pid),
            Pid;
        Pid -> Pid
    end.

start_fixed() ->
    Pid = spawn(fun loop/0),
    try register(start_once, Pid) of
        true -> Pid
    catch
        error:badarg -> exit(Pid, kill), start_once
    end.

tell(What) ->
    case whereis(start_once) of
        undefined -> not_there;
        _ -> start_once ! {tell, What}, ok
    end.

stop() -> exit(whereis(start_once), shutdown).

loop() ->
    receive
        stop -> ok;
        {tell, _} -> loop()
    end.

start_twice() -> parallel(fun start/0, fun start/0), stop().
start_twice_fixed() -> parallel(fun start_fixed/0, fun start_fixed/0), stop().

tell_while_stopping() ->
    Pid = start(),
    parallel(fun() -> Pid ! stop end, fun() -> tell(hello) end).

parallel(F, G) ->
    {_, M} = spawn_monitor(F),
    G(),
    receive {'DOWN', M, process, _, normal} -> ok end.
