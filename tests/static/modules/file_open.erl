%% Only opening for writing creates.
-module(file_open).
-export([open/1, log/1]).

open(Path) ->
    case filelib:is_file(Path) of
        true -> file:open(Path, [read]);
        false -> none
    end.

log(Path) ->
    case filelib:is_file(Path) of               %% read: a
        false -> file:open(Path, [append]);     %% write: a
        true -> exists
    end.
