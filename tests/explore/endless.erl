%% Processes that compute for ever, or for longer than a step may take: nobody knows which. It is a hang
%% if no other process can go on, otherwise control is lost.
%%
%% expect: alone => bug,hang
%% expect: beside_another => lost-control
%% expect: long_but_finite => proved
%% expect: too_long => bug,hang
%% expect: too_long --strategy dpor --step-time 10 => proved
-module(endless).
-export([alone/0, beside_another/0, long_but_finite/0, too_long/0]).

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

too_long() -> count(100000000).
