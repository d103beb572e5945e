%% process_flag/3 fails if the process has ended. It was not a step, so nobody tried that.
-module(flag_of_another).
-export([run/0]).

run() ->
    P = spawn(fun() -> whereis(n) end),
    erlang:display(catch is_list(erlang:process_flag(P, save_calls, 0))).
