%% The write comes before the read, but the next turn's write comes after it.
-module(reg_loop).
-export([loop/1]).

loop(Pid) ->
    register(reg_loop, Pid),                    %% write: a
    receive next -> ok end,
    case whereis(reg_loop) of                   %% read: a
        undefined -> loop(Pid);
        _ -> stop
    end.
