%% gen_server takes the name atomically.
-module(reg_start_link).
-export([ensure/0, init/1]).

ensure() ->
    case whereis(reg_start_link) of
        undefined -> gen_server:start({local, reg_start_link}, ?MODULE, [], []);
        Pid -> {ok, Pid}
    end.

init([]) -> {ok, none}.
