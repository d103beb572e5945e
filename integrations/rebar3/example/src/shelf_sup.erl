%% The subscribers come first, because the shelves tell them about changes.
-module(shelf_sup).
-behaviour(supervisor).

-export([start_link/0, init/1]).

start_link() -> supervisor:start_link({local, ?MODULE}, ?MODULE, []).

init([]) ->
    Children = [#{id => Module, start => {Module, start_link, []}}
                || Module <- [shelf_events, shelf]],
    {ok, {#{strategy => rest_for_one, intensity => 1, period => 5}, Children}}.
