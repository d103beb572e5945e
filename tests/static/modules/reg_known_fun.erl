%% The fun is an argument, but a caller's closure is known.
-module(reg_known_fun).
-export([start/0]).

start() -> with_free(known_fun_name, fun(N) -> register(N, self()) end).  %% write: a

with_free(Name, Fun) ->
    case whereis(Name) of                       %% read: a
        undefined -> Fun(Name);
        Pid -> Pid
    end.
