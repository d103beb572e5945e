%% A test made up for a suspected race: the same call in two processes at once.
%%
%% The path is "OPENER FUNCTION ARGUMENT ...": OPENER is Module:Function, called once before, or
%% "-". Arguments are integers and atoms. Who set up stays, so that its tables do.
-module(fermata_pair).
-export([list/1, enter/2]).

list(_) -> {ok, []}.

enter(Module, Path) ->
    [Opener, Function | Words] = string:lexemes(Path, " "),
    open(Opener),
    Args = [argument(Word) || Word <- Words],
    spawn(fun() -> run(Opener =/= "-", Module, list_to_atom(Function), Args) end),
    receive after infinity -> ok end.

open("-") -> ok;
open(Opener) ->
    [Module, Function] = string:split(Opener, ":", trailing),
    try apply(list_to_atom(Module), list_to_atom(Function), [])
    catch Class:Reason ->
            Text = io_lib:format("~ts fails: ~ts ~0tp", [Opener, Class, Reason]),
            exit({broken, unicode:characters_to_binary(Text)})
    end.

argument(Word) ->
    case string:to_integer(Word) of
        {Integer, []} -> Integer;
        _ -> list_to_atom(Word)
    end.

run(WasSetUp, Module, Function, Args) ->
    fermata:begin_test(WasSetUp),
    Monitors = [spawn_monitor(Module, Function, Args) || _ <- [first, second]],
    Reasons = [receive {'DOWN', M, process, _, Reason} -> Reason end || {_, M} <- Monitors],
    case [Reason || Reason <- Reasons, Reason =/= normal] of
        [] -> ok;
        [Reason | _] -> exit(Reason)
    end.
