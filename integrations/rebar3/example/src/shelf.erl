%% Counts the things on shelves. A shelf has a limit (the variable `limit` of the application).
-module(shelf).
-behaviour(gen_server).

-export([start_link/0, count/1, add/2, take/2, move/3, all/0]).
-export([init/1, handle_call/3, handle_cast/2]).

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

count(Shelf) -> gen_server:call(?MODULE, {count, Shelf}).

%% full, if there would be more than the limit.
add(Shelf, N) ->
    case count(Shelf) + N of
        Sum when Sum > 10 -> full;
        Sum -> gen_server:call(?MODULE, {set, Shelf, Sum})
    end.

%% empty, if there are not that many.
take(Shelf, N) -> gen_server:call(?MODULE, {take, Shelf, N}).

%% All or nothing.
move(From, To, N) -> gen_server:call(?MODULE, {move, From, To, N}).

all() -> gen_server:call(?MODULE, all).

init([]) ->
    {ok, Limit} = application:get_env(shelf, limit),
    {ok, #{limit => Limit, shelves => #{}}}.

handle_call({count, Shelf}, _From, State) ->
    {reply, there(Shelf, State), State};
handle_call({set, Shelf, N}, _From, State) ->
    {reply, ok, put(Shelf, N, State)};
handle_call({take, Shelf, N}, _From, State) ->
    case there(Shelf, State) of
        There when There >= N -> {reply, ok, put(Shelf, There - N, State)};
        _ -> {reply, empty, State}
    end;
handle_call({move, From, To, N}, _From, #{limit := Limit} = State) ->
    case {there(From, State), there(To, State)} of
        {There, _} when There < N -> {reply, empty, State};
        {_, There} when There + N > Limit -> {reply, full, State};
        {Here, There} -> {reply, ok, put(To, There + N, put(From, Here - N, State))}
    end;
handle_call(all, _From, #{shelves := Shelves} = State) ->
    {reply, lists:sort(maps:to_list(Shelves)), State}.

handle_cast(_, State) -> {noreply, State}.

there(Shelf, #{shelves := Shelves}) -> maps:get(Shelf, Shelves, 0).

put(Shelf, N, #{shelves := Shelves} = State) ->
    shelf_events:publish(Shelf, N),
    State#{shelves := Shelves#{Shelf => N}}.
