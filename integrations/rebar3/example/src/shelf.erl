%% Counts the things on shelves.
-module(shelf).
-behaviour(gen_server).

-export([start_link/0, stop/0, count/1, add/2, take/2]).
-export([init/1, handle_call/3, handle_cast/2]).

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

stop() -> gen_server:stop(?MODULE).

count(Shelf) -> gen_server:call(?MODULE, {count, Shelf}).

add(Shelf, N) -> gen_server:call(?MODULE, {set, Shelf, count(Shelf) + N}).

%% empty, if there are not that many.
take(Shelf, N) -> gen_server:call(?MODULE, {take, Shelf, N}).

init([]) -> {ok, #{}}.

handle_call({count, Shelf}, _From, Shelves) ->
    {reply, maps:get(Shelf, Shelves, 0), Shelves};
handle_call({set, Shelf, N}, _From, Shelves) ->
    {reply, ok, Shelves#{Shelf => N}};
handle_call({take, Shelf, N}, _From, Shelves) ->
    case maps:get(Shelf, Shelves, 0) of
        There when There >= N -> {reply, ok, Shelves#{Shelf => There - N}};
        _ -> {reply, empty, Shelves}
    end.

handle_cast(_, Shelves) -> {noreply, Shelves}.
