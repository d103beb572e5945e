%% Processes subscribe to a shelf and get {shelf, Name, Count} after each change. A subscription ends
%% with the process.
-module(shelf_events).
-behaviour(gen_server).

-export([start_link/0, subscribe/1, unsubscribe/1, publish/2, subscribers/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

subscribe(Shelf) -> gen_server:call(?MODULE, {subscribe, Shelf, self()}).

unsubscribe(Shelf) -> gen_server:call(?MODULE, {unsubscribe, Shelf, self()}).

%% Returns before the subscribers have the news.
publish(Shelf, Count) -> gen_server:cast(?MODULE, {publish, Shelf, Count}).

subscribers(Shelf) -> gen_server:call(?MODULE, {subscribers, Shelf}).

%% State: [{Shelf, Pid, Monitor}]
init([]) -> {ok, []}.

handle_call({subscribe, Shelf, Pid}, _From, All) ->
    case [known || {S, P, _} <- All, S =:= Shelf, P =:= Pid] of
        [] -> {reply, ok, [{Shelf, Pid, erlang:monitor(process, Pid)} | All]};
        _ -> {reply, ok, All}
    end;
handle_call({unsubscribe, Shelf, Pid}, _From, All) ->
    {Gone, Rest} = lists:partition(fun({S, P, _}) -> S =:= Shelf andalso P =:= Pid end, All),
    [erlang:demonitor(Monitor, [flush]) || {_, _, Monitor} <- Gone],
    {reply, ok, Rest};
handle_call({subscribers, Shelf}, _From, All) ->
    {reply, [Pid || {S, Pid, _} <- All, S =:= Shelf], All}.

handle_cast({publish, Shelf, Count}, All) ->
    [Pid ! {shelf, Shelf, Count} || {S, Pid, _} <- All, S =:= Shelf],
    {noreply, All}.

handle_info({'DOWN', Monitor, process, _, _}, All) ->
    {noreply, lists:keydelete(Monitor, 3, All)}.
