%% The evaluator of `fermata replay --debug`. It runs in a copy of a moment of the run: whatever an
%% expression changes is undone before anything else happens.
-module(fermata_debug).
-export([eval/2, state/1]).

%% Text: expressions, with or without a full stop. Actors: [{"P1.2", Pid}], for pid("P1.2").
eval(Text, Actors) ->
    case erl_scan:string(complete(Text)) of
        {ok, Tokens, _} -> parse(Tokens, Actors);
        {error, {_, Module, Reason}, _} -> {error, Module:format_error(Reason)}
    end.

complete(Text) ->
    case lists:reverse(string:trim(Text)) of
        [$. | _] -> Text;
        _ -> Text ++ "."
    end.

parse(Tokens, Actors) ->
    case erl_parse:parse_exprs(Tokens) of
        {ok, Expressions} -> run(Expressions, Actors);
        {error, {_, Module, Reason}} -> {error, Module:format_error(Reason)}
    end.

run(Expressions, Actors) ->
    Local = {value, fun(Name, Arguments) -> local(Name, Arguments, Actors) end},
    try erl_eval:exprs(Expressions, erl_eval:new_bindings(), Local) of
        {value, Value, _} -> {ok, io_lib:format("~tp", [Value])}
    catch
        Class:Reason -> {error, io_lib:format("exception ~p: ~tp", [Class, Reason])}
    end.

local(pid, [Name], Actors) when is_list(Name) ->
    case lists:keyfind(Name, 1, Actors) of
        {_, Pid} -> Pid;
        false -> error({no_such_process, Name})
    end;
local(Name, Arguments, _) ->
    error({undef, {Name, length(Arguments)}}).

%% Of a process that waits in the loop of its behaviour.
state(Pid) ->
    try {ok, io_lib:format("~tp", [sys:get_state(Pid, 1000)])}
    catch _:Reason -> {error, io_lib:format("not known: ~tp", [Reason])}
    end.
