-module(reg_spawn_mfa).
-export([start/0, init/1]).

start() ->
    case whereis(reg_spawn_mfa) of              %% read: a
        undefined -> spawn_link(?MODULE, init, [reg_spawn_mfa]);
        Pid -> Pid
    end.

init(Name) ->
    register(Name, self()),                     %% write: a
    receive stop -> ok end.
