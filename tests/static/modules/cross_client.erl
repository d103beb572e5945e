%% The read is here, the write in another module.
%% with: cross_registry.erl
-module(cross_client).
-export([start/0]).

start() ->
    case whereis(cross_server) of               %% read: a
        undefined -> cross_registry:add(cross_server, self());
        Pid -> Pid
    end.
