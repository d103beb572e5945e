-module(file_check).
-export([create/2, remove/1]).

create(Path, Data) ->
    case filelib:is_file(Path) of               %% read: a
        false -> file:write_file(Path, Data);   %% write: a
        true -> exists
    end.

remove(Path) ->
    case filelib:is_regular(Path) of            %% read: b
        true -> file:delete(Path);              %% write: b
        false -> ok
    end.
