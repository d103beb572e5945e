%% Sending to the pid that was found needs no name.
-module(reg_pid_send).
-export([notify/1]).

notify(Msg) ->
    case whereis(reg_pid_send_target) of
        undefined -> ok;
        Pid -> Pid ! Msg
    end.
