%% Keys that no other process has: a new reference or a unique number, also as a part of them. A
%% number that is cut short is not unique.
-module(new_keys).
-export([init/0, reference/1, part/1, name/0, helped/1, short/1]).

init() -> ets:new(new_keys, [named_table, public]).

reference(Value) ->
    Key = make_ref(),
    case ets:lookup(new_keys, Key) of           %% read: a [--all]
        [] -> ets:insert(new_keys, {Key, Value}); %% write: a [--all]
        _ -> taken
    end.

part(Value) ->
    Key = {job, erlang:unique_integer()},
    case ets:lookup(new_keys, Key) of           %% read: b [--all]
        [] -> ets:insert(new_keys, {Key, Value}); %% write: b [--all]
        _ -> taken
    end.

name() ->
    Name = list_to_atom("name" ++ integer_to_list(erlang:unique_integer([positive]))),
    case whereis(Name) of                       %% read: c [--all]
        undefined -> register(Name, self());    %% write: c [--all]
        _ -> taken
    end.

helped(Value) ->
    Key = new_key(),
    case ets:lookup(new_keys, Key) of           %% read: d [--all]
        [] -> ets:insert(new_keys, {Key, Value}); %% write: d [--all]
        _ -> taken
    end.

new_key() -> {key, make_ref()}.

short(Value) ->
    Key = erlang:unique_integer([positive]) rem 8,
    case ets:lookup(new_keys, Key) of           %% read: e
        [] -> ets:insert(new_keys, {Key, Value}); %% write: e
        _ -> taken
    end.
