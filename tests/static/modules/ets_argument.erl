%% Whose table it is cannot be seen from here.
-module(ets_argument).
-export([inc/2]).

inc(Tab, Key) ->
    [{_, N}] = ets:lookup(Tab, Key),            %% read: a [--all]
    ets:insert(Tab, {Key, N + 1}).              %% write: a [--all]
