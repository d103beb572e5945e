%% Lists of subscribers that everybody reads and few change: one in a persistent term, one in the
%% environment of an application.
%%
%% Both are read, made longer and written back: of two that subscribe at once one is forgotten.
%%
%% expect: both_in_term => bug,abnormal-exit
%% expect: both_in_env => bug,abnormal-exit
%% expect: others_in_env => proved
%% confirm: both_in_term => persistent_term get put confirmed
%% confirm: both_in_env => application_env get_env set_env confirmed
%% confirm: others_in_env => application_env get_env set_env not-seen
-module(settings).
-export([subscribe_term/1, subscribe_env/1, both_in_term/0, both_in_env/0,
         others_in_env/0]).

subscribe_term(Who) ->
    Old = persistent_term:get(subscribers, []),
    persistent_term:put(subscribers, [Who | Old]).

subscribe_env(Who) ->
    Old = application:get_env(settings, subscribers, []),
    application:set_env(settings, subscribers, [Who | Old]).

both_in_term() ->
    both(fun subscribe_term/1),
    [a, b] = lists:sort(persistent_term:get(subscribers)).

both_in_env() ->
    both(fun subscribe_env/1),
    {ok, Subscribers} = application:get_env(settings, subscribers),
    [a, b] = lists:sort(Subscribers).

%% Another setting may change meanwhile.
others_in_env() ->
    {_, M} = spawn_monitor(fun() -> application:set_env(settings, volume, 11) end),
    subscribe_env(b),
    receive {'DOWN', M, process, _, normal} -> ok end,
    {ok, [b]} = application:get_env(settings, subscribers).

both(Subscribe) ->
    {_, M} = spawn_monitor(fun() -> Subscribe(a) end),
    Subscribe(b),
    receive {'DOWN', M, process, _, normal} -> ok end.
