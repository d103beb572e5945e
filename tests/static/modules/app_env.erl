-module(app_env).
-export([bump/0, other/0]).

bump() ->
    {ok, N} = application:get_env(my_app, n),   %% read: a
    application:set_env(my_app, n, N + 1).      %% write: a

other() ->
    {ok, N} = application:get_env(my_app, n),
    application:set_env(my_app, m, N).
