%% The repair that a report advises, with the question left in: the failure of the second step is
%% handled. A handler that lets it pass is none.
-module(reg_caught).
-export([tried/1, any/1, caught/1, asked/1, other_class/1, other_reason/1, cleaned/1]).

tried(Name) ->
    case whereis(Name) of                       %% read: a [--all]
        undefined ->
            try register(Name, self())          %% write: a [--all]
            catch error:badarg -> taken
            end;
        _ -> taken
    end.

any(Name) ->
    case whereis(Name) of                       %% read: b [--all]
        undefined ->
            try register(Name, self()) of       %% write: b [--all]
                true -> ok
            catch _:_ -> io:format("taken~n"), taken
            end;
        _ -> taken
    end.

caught(Name) ->
    case whereis(Name) of                       %% read: c [--all]
        undefined -> catch register(Name, self()); %% write: c [--all]
        _ -> taken
    end.

asked(Name) ->
    case whereis(Name) of                       %% read: d [--all]
        undefined -> down;
        _ ->
            try gen_server:call(Name, hello)    %% write: d [--all]
            catch exit:{noproc, _} -> down
            end
    end.

other_class(Name) ->
    case whereis(Name) of                       %% read: e
        undefined ->
            try register(Name, self())          %% write: e
            catch exit:_ -> taken
            end;
        _ -> taken
    end.

other_reason(Name) ->
    case whereis(Name) of                       %% read: f
        undefined ->
            try register(Name, self())          %% write: f
            catch error:system_limit -> taken
            end;
        _ -> taken
    end.

cleaned(Name) ->
    case whereis(Name) of                       %% read: g
        undefined ->
            try register(Name, self())          %% write: g
            after io:format("done~n")
            end;
        _ -> taken
    end.
