%% Processes that compute for ever.
%%
%% expect: alone => bug,livelock
%% expect: beside_another => bug,livelock
%% expect: long_but_finite => proved
-module(endless).
-export([alone/0, beside_another/0, long_but_finite/0]).

loop() -> loop().

alone() -> loop().

beside_another() ->
    S = self(),
    spawn(fun() -> loop() end),
    spawn(fun() -> S ! done end),
    receive done -> ok end.

long_but_finite() ->
    S = self(),
    spawn(fun() -> S ! count(1000000) end),
    receive done -> ok end.

count(0) -> done;
count(N) -> count(N - 1).
