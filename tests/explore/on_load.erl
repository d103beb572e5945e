%% A module with an on_load function: it runs before the first function of the module does, in every
%% run, also if the module was loaded before the search.
%%
%% expect: loaded => proved
%% expect: callers => proved
-module(on_load).
-export([loaded/0, callers/0, value/0]).
-on_load(init/0).

init() ->
    persistent_term:put(?MODULE, ready),
    ok.

value() -> persistent_term:get(?MODULE, not_ready).

loaded() ->
    ready = value(),
    true = erlang:function_exported(?MODULE, value, 0).

callers() ->
    S = self(),
    [spawn(fun() -> S ! ?MODULE:value() end) || _ <- [1, 2]],
    [ready, ready] = [receive V -> V end || _ <- [1, 2]].
