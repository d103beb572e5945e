%% The operating system looks and creates at once.
-module(file_exclusive).
-export([create/1]).

create(Path) ->
    case filelib:is_file(Path) of
        false -> file:open(Path, [write, exclusive]);
        true -> exists
    end.
