%% Generated programs that share nothing but messages and receive them in the order of their
%% arrival: actors that, for each message, send others; which, and to whom, depends on the
%% message, on who gets it and on how many it got before. For the property that no schedule
%% generated for coverage ever asks for what is not possible.
-module(relay).
-export([run_1/0, run_2/0, run_3/0, run_4/0, run_5/0, run_6/0, run_7/0, run_8/0]).

run_1() -> run(1).
run_2() -> run(2).
run_3() -> run(3).
run_4() -> run(4).
run_5() -> run(5).
run_6() -> run(6).
run_7() -> run(7).
run_8() -> run(8).

run(Seed) ->
    Actors = list_to_tuple([spawn(fun() -> actor(Seed, Id, 0) end) || Id <- [1, 2, 3, 4]]),
    [element(1 + erlang:phash2({Seed, K}, 4), Actors) ! {Actors, K, 3} || K <- [1, 2, 3]],
    spawn(fun() -> element(1, Actors) ! {Actors, 4, 2} end),
    ok.

actor(Seed, Id, Received) ->
    receive
        Message ->
            {Actors, K, Left} = Message,
            [element(1 + Choice rem 4, Actors) ! {Actors, Choice, Left - 1}
             || Left > 0, Choice <- choices({Seed, Id, K, Received})],
            actor(Seed, Id, Received + 1)
    end.

%% None, one or two numbers.
choices(What) ->
    [erlang:phash2({N, What}, 1000) || N <- lists:seq(1, erlang:phash2(What, 3))].
