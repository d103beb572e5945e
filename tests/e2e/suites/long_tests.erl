-module(long_tests).
-include_lib("eunit/include/eunit.hrl").

%% More schedules than anybody waits for.
many_test() ->
    Self = self(),
    Send = fun(Me) -> [Self ! {Me, N} || N <- lists:seq(1, 4)] end,
    [spawn(fun() -> Send(Me) end) || Me <- lists:seq(1, 8)],
    [receive {_, _} -> ok end || _ <- lists:seq(1, 32)].
