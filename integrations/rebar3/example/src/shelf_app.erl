%% The application: a supervisor with the shelves and the subscribers.
-module(shelf_app).
-behaviour(application).

-export([start/2, stop/1]).

start(_Type, _Args) -> shelf_sup:start_link().

stop(_State) -> ok.
