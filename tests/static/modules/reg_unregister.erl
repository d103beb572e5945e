-module(reg_unregister).
-export([forget/1]).

forget(Name) ->
    case whereis(Name) of                       %% read: a
        undefined -> ok;
        _ -> unregister(Name)                   %% write: a
    end.
