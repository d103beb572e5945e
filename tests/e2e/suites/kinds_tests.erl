%% Every kind of test, generator and fixture that EUnit has; all of them pass.
-module(kinds_tests).
-include_lib("eunit/include/eunit.hrl").

plain_test() -> ok.

list_test_() -> [?_assert(true), fun() -> ok end, {"named", ?_assertEqual(1, one())}].

nested_test_() -> [{"outer", [{"inner", ?_assert(true)}]}, [[?_assert(true)]]].

lazy_test_() -> {generator, fun() -> [?_assert(true) | more(2)] end}.

more(0) -> [];
more(N) -> {generator, fun() -> [?_assertEqual(1, one()) | more(N - 1)] end}.

setup_test_() ->
    {setup, fun() -> 7 end, fun(7) -> ok end, fun(X) -> ?_assertEqual(7, X) end}.

%% The set-up's process is another one, but lives.
owner_test_() ->
    {setup, fun() -> {self(), ets:new(t, [public])} end, fun({_, T}) -> ets:delete(T) end,
     fun({Pid, Table}) ->
             [?_assertNotEqual(Pid, self()), ?_assert(is_process_alive(Pid)),
              ?_assertEqual(Pid, ets:info(Table, owner))]
     end}.

local_test_() ->
    {setup, local, fun() -> self() end, fun(_) -> ok end,
     fun(Pid) -> ?_assertEqual(Pid, self()) end}.

list_of_setups_test_() ->
    {setup, [{a, fun() -> 1 end}, {b, fun() -> 2 end, fun(2) -> ok end}],
     fun(Both) -> ?_assertEqual([1, 2], Both) end}.

foreach_test_() ->
    {foreach, fun() -> put(n, 1), n end, fun(n) -> erase(n) end,
     [fun(n) -> ?_assert(true) end, fun(n) -> [?_assert(true), ?_assert(true)] end]}.

foreachx_test_() ->
    {foreachx, fun(X) -> X * 2 end, fun(_, _) -> ok end,
     [{1, fun(1, Twice) -> ?_assertEqual(2, Twice) end},
      {2, fun(2, Twice) -> ?_assertEqual(4, Twice) end}]}.

with_test_() -> {with, 3, [fun(X) -> ?assertEqual(3, X) end, fun(3) -> ok end]}.

setup_with_test_() ->
    {setup, fun() -> 3 end, {with, [fun(X) -> ?assertEqual(3, X) end]}}.

timeout_test_() -> {timeout, 30, fun() -> timer:sleep(10) end}.

%% One process for the group: what the first leaves there the second finds.
spawn_test_() -> {spawn, [?_assertEqual(undefined, put(left, 1)), ?_assertEqual(1, get(left))]}.

parallel_test_() -> {inparallel, 2, [?_assert(true), ?_assert(true)]}.

order_test_() ->
    {setup, fun() -> ets:new(t, [public]) end, fun ets:delete/1,
     fun(T) ->
             {inorder, [?_assert(ets:insert_new(T, {a})), ?_assertNot(ets:insert_new(T, {a})),
                        {setup, fun() -> ets:insert(T, {b}) end, ?_assertEqual(2, size_of(T))},
                        ?_assertEqual(2, size_of(T))]}
     end}.

size_of(Table) -> ets:info(Table, size).
one() -> 1.
