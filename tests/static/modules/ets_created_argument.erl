%% The name of the table is an argument, but the module itself creates it, so its access rights
%% and its key position are known.
-module(ets_created_argument).
-export([public/1, below/1, protected/1, keyed/1, chosen/0]).

public(Name) ->
    ets:new(Name, [named_table, public]),
    inc(Name).

inc(Tab) ->
    [{_, N}] = ets:lookup(Tab, hits),           %% read: a
    put_hits(Tab, N).

put_hits(Tab, N) -> ets:insert(Tab, {hits, N + 1}). %% write: a

below(Name) ->
    create(Name),
    [{_, N}] = ets:lookup(Name, total),         %% read: b
    ets:insert(Name, {total, N + 1}).           %% write: b

create(Name) -> ets:new(Name, [named_table, public]).

protected(Name) ->
    ets:new(Name, [named_table]),
    [{_, N}] = ets:lookup(Name, mine),
    ets:insert(Name, {mine, N + 1}).

keyed(Name) ->
    ets:new(Name, [named_table, public, {keypos, 2}]),
    [{N, _}] = ets:lookup(Name, key),           %% read: c [--all]
    ets:insert(Name, {key, N}).                 %% write: c [--all]

chosen() ->
    Name = list_to_atom(os:getpid()),
    ets:new(Name, [named_table, public]),
    [{_, N}] = ets:lookup(Name, seen),          %% read: d
    ets:insert(Name, {seen, N + 1}).            %% write: d
