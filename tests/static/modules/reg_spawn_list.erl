%% The funs that processes run come from a list, and only the list is given on.
-module(reg_spawn_list).
-export([start_all/0]).

start_all() -> parallel([fun() -> start() end, fun() -> start() end]).

parallel([]) -> ok;
parallel([Fun | Funs]) ->
    spawn(Fun),
    parallel(Funs).

start() ->
    case whereis(list_server) of                                %% read: a
        undefined ->
            Pid = spawn(fun() -> receive stop -> ok end end),
            register(list_server, Pid);                         %% write: a
        Pid -> Pid
    end.
