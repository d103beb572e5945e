%% Properties as PropEr has them.
-module(plain).
-export([prop_reverse/0, prop_short/0, prop_raises/0, prop_sum/0, prop_implies/0, prop_nested/0,
         prop_same/0, prop_undefined/0, prop_to_fail/0, prop_to_fail_in_vain/0, prop_function/0,
         prop_linked/0, prop_exists/0]).

-define(FORALL(X, Type, Test), proper:forall(Type, fun(X) -> Test end)).
-define(IMPLIES(Condition, Test), proper:implies(Condition, fun() -> Test end)).

prop_reverse() ->
    proper:numtests(10, ?FORALL(L, proper_types:list(proper_types:integer()),
                                lists:reverse(lists:reverse(L)) =:= L)).

prop_short() -> ?FORALL(L, proper_types:list(proper_types:integer()), length(L) < 3).

prop_raises() -> ?FORALL(N, proper_types:integer(), 10 div (N - 3) < 100).

prop_implies() -> ?FORALL(N, proper_types:integer(), ?IMPLIES(N > 0, N * 2 > N)).

prop_nested() ->
    ?FORALL(N, proper_types:nat(),
            ?FORALL(M, proper_types:nat(), proper:conjunction([{sum, N + M =:= M + N}]))).

%% Is false for most pairs of numbers.
prop_same() -> ?FORALL(N, proper_types:nat(), ?FORALL(M, proper_types:nat(), N =:= M)).

prop_undefined() -> ?FORALL(N, proper_types:nat(), apply(?MODULE, none, [N])).

prop_to_fail() -> proper:numtests(50, proper:fails(prop_short())).

prop_to_fail_in_vain() -> proper:fails(prop_reverse()).

%% A generated fun makes its results when it is called.
prop_function() ->
    ?FORALL(F, proper_types:function([proper_types:integer()], proper_types:integer()),
            is_integer(F(1)) andalso F(1) =:= F(1)).

%% ?TRAPEXIT: the test does not trap exits, so the end of a process that it is linked to ends it.
prop_linked() ->
    ?FORALL(_, proper_types:integer(),
            {trapexit, fun() ->
                P = spawn_link(fun() -> exit(ended) end),
                receive {'EXIT', P, ended} -> true end
            end}).

%% ?EXISTS of newer releases.
prop_exists() ->
    ?FORALL(N, proper_types:nat(),
            {exists, proper_types:nat(), fun(M) -> M > N end, false}).

%% A lost update: needs two elements and one schedule among others.
prop_sum() ->
    ?FORALL(L, proper_types:list(proper_types:range(1, 5)),
            begin
                T = ets:new(sum, [public]),
                ets:insert(T, {n, 0}),
                Monitors = [spawn_monitor(fun() -> add(T, X) end) || X <- L],
                [receive {'DOWN', M, process, _, _} -> ok end || {_, M} <- Monitors],
                lists:sum(L) =:= ets:lookup_element(T, n, 2)
            end).

add(T, X) -> ets:insert(T, {n, ets:lookup_element(T, n, 2) + X}).
