%% The name may be gone when the message is sent: badarg.
-module(reg_send).
-export([notify/1]).

notify(Msg) ->
    case whereis(reg_send_target) of            %% read: a
        undefined -> ok;
        _ -> reg_send_target ! Msg              %% write: a
    end.
