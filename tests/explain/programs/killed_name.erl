%% A process that was killed has its name until it has ended.
-module(killed_name).
-export([test/0]).

test() ->
    Victim = spawn(fun idle/0),
    register(victim, Victim),
    exit(Victim, kill),
    undefined = whereis(victim).

idle() -> receive stop -> ok end.
