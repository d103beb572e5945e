%% One turn of a loop reads, the next one writes: the loop is on the way from itself to itself.
-module(reg_turns).
-export([run/0]).

run() -> turn(undefined, first, self()).

turn(Name, Next, Pid) ->
    case Name of
        undefined -> ok;
        _ -> register(Name, Pid)                %% write: a
    end,
    Found = whereis(Next),                      %% read: a
    io:format("~p~n", [Found]),
    case whereis(Next) of                       %% read: a
        undefined -> turn(Next, other:name(), Pid), io:format("", []);
        _ -> ok
    end.
