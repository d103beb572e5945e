%% The properties that PropEr's macros build, when PropEr is not installed; fermata_property evaluates
%% them. PropEr's own test loops (quickcheck, check) are not here.
-module(proper).
-export([global_state_init_size_seed/2]).
-export([forall/2, implies/2, whenfail/2, trapexit/1, timeout/2, setup/2, conjunction/1, fails/1,
         numtests/2, on_output/2, equals/2]).
-export([collect/2, collect/3, aggregate/2, aggregate/3, classify/3, measure/3]).

%% Size and seed of the next values.
global_state_init_size_seed(Size, Seed) ->
    put('$fermata_size', Size),
    rand:seed(exsss, Seed),
    ok.

forall(Type, Body) -> {forall, Type, Body}.
implies(Condition, Test) -> {implies, Condition, Test}.
whenfail(Action, Test) -> {whenfail, Action, Test}.
trapexit(Test) -> {trapexit, Test}.
timeout(Limit, Test) -> {timeout, Limit, Test}.
setup(Fun, Property) -> {setup, Fun, Property}.
conjunction(Tests) -> {conjunction, Tests}.
fails(Property) -> {fails, Property}.
numtests(N, Property) -> {numtests, N, Property}.
on_output(Print, Property) -> {on_output, Print, Property}.
equals(A, B) -> A =:= B.

%% Statistics are not collected.
collect(_, Test) -> Test.
collect(_, _, Test) -> Test.
aggregate(_, Test) -> Test.
aggregate(_, _, Test) -> Test.
classify(_, _, Test) -> Test.
measure(_, _, Test) -> Test.
