%% The two ends in two functions that call each other.
-module(reg_mutual).
-export([ping/1]).

ping(N) ->
    case whereis(mutual) of                     %% read: a
        undefined when N > 0 -> pong(N - 1);
        _ -> ok
    end.

pong(0) -> register(mutual, self());            %% write: a
pong(N) -> ping(N).
