%% Looked at and accepted.
-module(quiet).
-fermata({no_race, [claim/1]}).
-export([claim/1, claim2/1]).

claim(Name) ->
    case whereis(Name) of
        undefined -> register(Name, self());
        Pid -> Pid
    end.

claim2(Name) ->
    case whereis(Name) of                       %% read: a
        undefined -> register(Name, self());    %% write: a
        Pid -> Pid
    end.
