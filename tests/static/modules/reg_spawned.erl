%% The new process takes the name itself.
-module(reg_spawned).
-export([start/0]).

start() ->
    case whereis(reg_spawned) of                %% read: a
        undefined ->
            spawn(fun() -> register(reg_spawned, self()), loop() end);  %% write: a
        Pid -> Pid
    end.

loop() -> receive stop -> ok end.
