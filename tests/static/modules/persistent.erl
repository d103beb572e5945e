-module(persistent).
-export([config/1]).

config(F) ->
    case persistent_term:get({?MODULE, config}, undefined) of   %% read: a
        undefined ->
            C = F(),
            persistent_term:put({?MODULE, config}, C),          %% write: a
            C;
        C -> C
    end.
