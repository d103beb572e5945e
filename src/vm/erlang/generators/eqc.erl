%% The properties that QuickCheck's macros build, as PropEr's.
-module(eqc).
-export([forall/2, implies/2, implies/3, whenfail/2, numtests/2, setup/2, equals/2, conjunction/1,
         collect/2, aggregate/2, classify/3, measure/3]).

forall(G, Body) -> proper:forall(G, Body).
implies(Condition, Test) -> proper:implies(Condition, delayed(Test)).
implies(Condition, _, Test) -> implies(Condition, Test).
whenfail(Action, Test) -> proper:whenfail(Action, delayed(Test)).
numtests(N, Property) -> proper:numtests(N, Property).
setup(Fun, Property) -> proper:setup(Fun, Property).
equals(A, B) -> A =:= B.
conjunction(Tests) -> proper:conjunction(Tests).
collect(_, Test) -> Test.
aggregate(_, Test) -> Test.
classify(_, _, Test) -> Test.
measure(_, _, Test) -> Test.

delayed(Test) when is_function(Test, 0) -> Test;
delayed(Test) -> fun() -> Test end.
