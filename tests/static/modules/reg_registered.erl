%% All names are read, one is looked for.
-module(reg_registered).
-export([claim/1]).

claim(Name) ->
    case lists:member(Name, registered()) of    %% read: a
        false -> register(Name, self());        %% write: a
        true -> taken
    end.
