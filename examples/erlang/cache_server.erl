%% A cache of the last few values: a gen_server that owns an ETS table. Readers look into the table
%% by themselves; writers go through the server, or, in the racy version, do the same steps on
%% their own because that is faster.
%%
%% The table has an entry {slot, N} => {Key, Value} per slot and {count, N}: how many values have
%% been stored. A new key goes to the slot after the last one and so replaces the oldest.
%%
%% The race: between looking for the key and writing its slot another writer may store the same
%% key (it is then there twice, and an old value can be found) or take the same slot.
-module(cache_server).
-behaviour(gen_server).
-export([start_link/2, stop/0, store/2, find/1, flush/0]).
-export([init/1, handle_call/3, handle_cast/2]).

-define(SLOTS, 3).

start_link(racy, Name) -> gen_server:start_link({local, Name}, ?MODULE, racy, []);
start_link(safe, Name) -> gen_server:start_link({local, Name}, ?MODULE, safe, []).

stop() -> gen_server:stop(?MODULE).

store(Key, Value) ->
    case ets:lookup(?MODULE, kind) of
        [{kind, racy}] -> put_value(Key, Value);
        [{kind, safe}] -> gen_server:call(?MODULE, {store, Key, Value})
    end.

find(Key) ->
    case ets:match(?MODULE, {{slot, '_'}, {Key, '$1'}}) of
        [[Value] | _] -> {ok, Value};
        [] -> {error, not_found}
    end.

flush() -> gen_server:call(?MODULE, flush).

put_value(Key, Value) ->
    case ets:match(?MODULE, {{slot, '$1'}, {Key, '_'}}) of
        [[Slot] | _] ->
            ets:insert(?MODULE, {{slot, Slot}, {Key, Value}});
        [] ->
            [{count, Count}] = ets:lookup(?MODULE, count),
            ets:insert(?MODULE, [{{slot, Count rem ?SLOTS}, {Key, Value}}, {count, Count + 1}])
    end,
    ok.

init(Kind) ->
    ets:new(?MODULE, [public, named_table]),
    ets:insert(?MODULE, [{kind, Kind}, {count, 0}]),
    {ok, Kind}.

handle_call({store, Key, Value}, _From, Kind) ->
    {reply, put_value(Key, Value), Kind};
handle_call(flush, _From, Kind) ->
    ets:match_delete(?MODULE, {{slot, '_'}, '_'}),
    ets:insert(?MODULE, {count, 0}),
    {reply, ok, Kind}.

handle_cast(_, Kind) -> {noreply, Kind}.
