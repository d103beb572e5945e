%% A generated test for a suspected race: the same call in two processes at once.
%%
%% The path is "OPENER BEFORE FUNCTION ARGUMENT ...". OPENER is Module:Function, which is called
%% once at first, or "-". BEFORE is how often the call itself is made before the two processes make
%% it. Arguments are integers and atoms. The process that makes the set-up does not end, so that
%% its tables stay.
-module(fermata_pair).
-export([list/1, enter/2]).

list(_) -> {ok, []}.

enter(Module, Path) ->
    [Opener, Before, Name | Words] = string:lexemes(Path, " "),
    Function = list_to_atom(Name),
    Args = [argument(Word) || Word <- Words],
    open(Opener),
    [try apply(Module, Function, Args) catch _:_ -> failed end
     || _ <- lists:seq(1, list_to_integer(Before))],
    spawn(fun() -> run({Opener, Before} =/= {"-", "0"}, Module, Function, Args) end),
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
