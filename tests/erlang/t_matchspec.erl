%% Match specifications: select and its family, match, fun2ms, continuations.
-module(t_matchspec).
-export([match_variables/0, match_object/0, match_repeated_variable/0, match_nested/0,
         match_delete/0, match_limit/0, match_object_limit/0, select_all/0, select_columns/0,
         select_all_variables/0, select_guard/0, select_several_clauses/0, select_constants/0,
         select_key_bound/0, select_partial_key/0, select_empty/0, select_bad/0, select_limit/0,
         select_limit_set/0, select_reverse/0, select_count/0, select_delete/0,
         select_delete_set/0, select_replace/0, select_replace_set/0, select_replace_bad/0,
         select_replace_bag/0, guards_types/0, guards_compare/0, guards_boolean/0, body_arith/0,
         body_arith_errors/0, body_functions/0, body_terms/0, body_multiple/0, body_self/0,
         is_record_guard/0, variables_order/0, run_filter/0, is_compiled/0, compile_bad/0,
         test_ms/0, erlang_test/0, fun2ms_simple/0, fun2ms_clauses/0, fun2ms_record_object/0,
         fun2ms_import/0, fun2ms_operators/0, fun2ms_map/0, fun2ms_select/0, repair/0,
         table_changes_between/0, float_integer_keys/0, bag_select/0, deep_pattern/0,
         binary_pattern/0, atom_dollar/0, large_select/0]).
-include("t.hrl").
-include_lib("stdlib/include/ms_transform.hrl").

table(Type) ->
    T = ets:new(t, [Type, public]),
    ets:insert(T, [{1, a, 10}, {2, b, 20}, {3, a, 30}, {4, c, 40}, {5, b, 50}, {six, "l", {x, y}},
                   {[7], #{k => 1}, <<"bin">>}]),
    T.

ordered(Fun) -> T = table(ordered_set), R = Fun(T), catch ets:delete(T), R.
set(Fun) -> T = table(set), R = Fun(T), catch ets:delete(T), R.

numbers(Type, N) ->
    T = ets:new(t, [Type]),
    ets:insert(T, [{I, I rem 5} || I <- lists:seq(1, N)]),
    T.

select(Ms) -> ordered(fun(T) -> ?TRY(ets:select(T, Ms)) end).
%% Evaluates a body or guard expression for the object {X, Y}.
run(Body) ->
    ?TRY(ets:match_spec_run([{3, {a, b}}], ets:match_spec_compile([{{'$1', '$2'}, [], [Body]}]))).

guard(G) ->
    ?TRY(ets:match_spec_run([{3, 7}], ets:match_spec_compile(
                                [{{'$1', '$2'}, [G], [yes]}, {'_', [], [no]}]))).

match_variables() ->
    ordered(fun(T) -> {ets:match(T, {'$1', a, '$2'}), ets:match(T, {'_', '_', '$1'}),
                       ets:match(T, {'$2', '$1', '_'}), ets:match(T, {3, '$1', '_'}),
                       ets:match(T, {nokey, '$1', '_'}), ets:match(T, '$1')} end).

match_object() ->
    ordered(fun(T) -> {ets:match_object(T, {'_', a, '_'}), ets:match_object(T, {2, '_', '_'}),
                       ets:match_object(T, '_'), ets:match_object(T, {'$1', '$2', '$1'})} end).

match_repeated_variable() ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, [{1, 1}, {2, 3}, {4, 4}, {5, 5.0}]),
    ets:match(T, {'$1', '$1'}).

match_nested() ->
    ordered(fun(T) -> {ets:match(T, {six, '$1', {'$2', y}}), ets:match(T, {['$1'], '_', '_'}),
                       ets:match(T, {'_', #{k => '$1'}, '_'})} end).

match_delete() ->
    ordered(fun(T) -> ets:match_delete(T, {'_', a, '_'}), length(ets:tab2list(T)) end).

match_limit() ->
    ordered(fun(T) -> {L, C} = ets:match(T, {'$1', '_', '_'}, 3), {M, D} = ets:match(C),
                {L, M, case ets:match(D) of '$end_of_table' -> eot; {N, _} -> N end} end).

match_object_limit() ->
    ordered(fun(T) -> {L, C} = ets:match_object(T, {'_', b, '_'}, 1),
                {L, element(1, ets:match_object(C))} end).

select_all() -> select([{'_', [], ['$_']}]).
select_columns() -> select([{{'$1', '$2', '$3'}, [], [{{'$3', '$1'}}]}]).
select_all_variables() -> select([{{'$1', '$2', '$3'}, [], ['$$']}]).
select_guard() -> select([{{'$1', '$2', '$3'}, [{'>', '$1', 2}, {'is_integer', '$1'}], ['$1']}]).

select_several_clauses() ->
    select([{{'$1', a, '_'}, [], [{{is_a, '$1'}}]},
            {{'$1', b, '$2'}, [{'>', '$2', 30}], [{{is_b, '$1', '$2'}}]}]).

select_constants() ->
    select([{{1, '_', '_'}, [],
             [x, 1.5, "str", {const, {a, '$1'}}, [list, '$_'], {{tuple}}, #{k => '$_'}]}]).

select_key_bound() -> select([{{3, '$1', '_'}, [], ['$1']}]).

select_partial_key() ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, [{{A, B}, A * B} || A <- [1, 2, 3], B <- [1, 2, 3]]),
    {ets:select(T, [{{{2, '$1'}, '$2'}, [], [{{'$1', '$2'}}]}]),
     ets:select(T, [{{{'$1', 2}, '_'}, [], ['$1']}])}.

select_empty() -> {select([]), select([{{nokey}, [], ['$_']}])}.

select_bad() ->
    [select(Ms) || Ms <- [a, [a], [{'_', [], []}], [{'_', a, ['$_']}],
                          [{'_', [{nosuch, 1}], ['$_']}], [{{'$1', '_', '_'}, [], ['$2']}],
                          [{'_', [], [{a, b}]}]]].

select_limit() ->
    ordered(fun(T) -> {L, C} = ets:select(T, [{{'$1', '_', '_'}, [], ['$1']}], 2),
                {M, D} = ets:select(C), {N, E} = ets:select(D), {O, F} = ets:select(E),
                {L, M, N, O, F, case F of '$end_of_table' -> eot; _ -> ets:select(F) end} end).

select_limit_set() ->
    T = numbers(set, 100),
    L = all_chunks(ets:select(T, [{{'$1', '_'}, [], ['$1']}], 7)),
    lists:sort(L) =:= lists:seq(1, 100).

all_chunks('$end_of_table') -> [];
all_chunks({L, C}) -> L ++ all_chunks(ets:select(C)).

select_reverse() ->
    ordered(fun(T) -> {L, C} = ets:select_reverse(T, [{{'$1', '_', '_'}, [], ['$1']}], 3),
                {L, element(1, ets:select_reverse(C)),
                 ets:select_reverse(T, [{{'$1', '_', '_'}, [], ['$1']}])} end).

select_count() ->
    ordered(fun(T) -> {ets:select_count(T, [{{'_', a, '_'}, [], [true]}]),
                       ets:select_count(T, [{'_', [], [true]}]),
                       ets:select_count(T, [{'_', [], [yes]}]),
                       ets:select_count(T, [{{'$1', '_', '_'}, [{'<', '$1', 4}], [true]}])} end).

select_delete() ->
    ordered(fun(T) -> {ets:select_delete(T, [{{'_', a, '_'}, [], [true]}]),
                       ets:select_delete(T, [{{'_', b, '_'}, [], [no]}]), length(ets:tab2list(T)),
                       ets:select_delete(T, [{'_', [], [true]}]), ets:tab2list(T)} end).

select_delete_set() ->
    T = numbers(set, 200),
    {ets:select_delete(T, [{{'_', 3}, [], [true]}]), ets:info(T, size)}.

select_replace() ->
    ordered(fun(T) -> {ets:select_replace(T,
                                          [{{'$1', a, '$2'}, [], [{{'$1', z, {'+', '$2', 1}}}]}]),
                       ets:match_object(T, {'_', z, '_'})} end).

select_replace_set() ->
    set(fun(T) -> {ets:select_replace(T, [{{'$1', '$2', '$3'}, [{is_integer, '$3'}],
                                           [{{'$1', '$2', {'*', '$3', 2}}}]}]),
                   lists:sort(ets:match(T, {'_', '_', '$1'}))} end).

select_replace_bad() ->
    ordered(fun(T) -> [?TRY(ets:select_replace(T, [{{'$1', '$2', '$3'}, [], [B]}]))
                       || B <- [{{new, '$2'}}, x, {{'$2', '$1', '$3'}}, {{'$1', '$3'}}]] end).

select_replace_bag() -> T = table(bag), ?TRY(ets:select_replace(T, [{'_', [], ['$_']}])).

guards_types() ->
    [{G, guard({G, '$1'})} || G <- [is_atom, is_float, is_integer, is_list, is_number, is_pid,
                                    is_tuple, is_map, is_binary, is_function, is_reference,
                                    is_port, is_boolean]].

guards_compare() ->
    [{Op, guard({Op, '$1', 3}), guard({Op, '$1', '$2'})}
     || Op <- ['==', '=:=', '/=', '=/=', '<', '>', '=<', '>=']].

guards_boolean() ->
    [guard(G) || G <- [{'and', true, true}, {'and', true, false}, {'or', false, true},
                       {'not', false}, {'xor', true, true}, {'andalso', true, {'>', '$1', 1}},
                       {'orelse', false, {'>', '$1', 100}}, true, false, x,
                       {'andalso', false, {hd, x}}, {'and', true, x}]].

body_arith() ->
    [run({Op, '$1', 2})
     || Op <- ['+', '-', '*', 'div', 'rem', 'band', 'bor', 'bxor', 'bsl', 'bsr']] ++ [
        run({'-', '$1'}), run({'bnot', '$1'}), run({'/', '$1', 2}), run({abs, {'-', '$1'}})].

body_arith_errors() ->
    [run({'+', '$1', a}), run({'div', '$1', 0}), run({hd, '$1'}), guard({'>', {'+', '$1', a}, 1}),
     guard({'==', {'div', 1, 0}, 1})].

body_functions() ->
    [run(B) || B <- [{element, 1, '$2'}, {hd, [a, b]}, {tl, [a, b]}, {length, [1, 2]},
                     {size, '$2'}, {trunc, 2.5}, {round, 2.5}, {float, '$1'}, {max, 1, 2},
                     {min, 1, 2}, {tuple_size, '$2'}, {map_size, #{a => 1}},
                     {map_get, a, #{a => 1}}, {is_map_key, a, #{a => 1}}, {byte_size, <<"ab">>},
                     {bit_size, <<1:3>>}, {ceil, 1.5}, {floor, 1.5},
                     {binary_part, <<"abc">>, 1, 2}, {node}]].

body_terms() ->
    [run(B) || B <- ['$_', '$$', '$1', {{'$2', '$1'}}, ['$1', '$2'], ['$1' | '$2'],
                     #{'$1' => '$2'}, {const, '$1'}, {{}}, [], <<"b">>, {const, {a, b}}]].

body_multiple() ->
    ets:match_spec_run([{1, 2}], ets:match_spec_compile([{{'$1', '$2'}, [], ['$1', '$2', x]}])).

body_self() -> [P] = run({self}), P =:= self().

is_record_guard() ->
    ets:match_spec_run([{p, 1, 2}, {q, 1, 2}, {p, 1}],
                       ets:match_spec_compile([{'$1', [{is_record, '$1', p, 3}], ['$1']}])).

variables_order() ->
    ets:match_spec_run([{1, 2, 3}], ets:match_spec_compile([{{'$10', '$2', '$1'}, [], ['$$']}])).

run_filter() ->
    ets:match_spec_run([{1, a}, b, {2, c}, {3, a}],
                       ets:match_spec_compile([{{'$1', a}, [], ['$1']}])).

is_compiled() ->
    {ets:is_compiled_ms(ets:match_spec_compile([{'_', [], ['$_']}])),
     ets:is_compiled_ms(make_ref()), ets:is_compiled_ms(a)}.

compile_bad() -> [?TRY(ets:match_spec_compile(?ID(X))) || X <- [a, [a], [{a, b}], [{'_', [], x}]]].

test_ms() ->
    [ets:test_ms(T, Ms)
     || {T, Ms} <- [{{a, 1}, [{{'$1', '$2'}, [], ['$1']}]}, {{a}, [{{'_', '_'}, [], [x]}]}]].

erlang_test() ->
    [erlang:match_spec_test({1, 2}, [{{'$1', '_'}, [], ['$1']}], table),
     erlang:match_spec_test([1, 2], [{['$1', '_'], [], ['$1']}], trace)].

fun2ms_simple() -> ets:fun2ms(fun({A, B}) when A > 1 -> {B, A} end).

fun2ms_clauses() ->
    ets:fun2ms(fun({A, x}) -> A; ({_, B}) when is_atom(B), B =/= y -> [B]; (_) -> none end).

fun2ms_record_object() -> ets:fun2ms(fun({A, _} = O) when element(1, A) =:= k; A == 5 -> O end).

fun2ms_import() ->
    X = ?ID(30),
    ordered(fun(T) -> ets:select(T, ets:fun2ms(fun({K, _, V}) when V >= X, is_integer(V) ->
                                                   {K, V + X} end)) end).

fun2ms_operators() ->
    ets:fun2ms(fun({A, B}) when (A + B) rem 2 =:= 0 andalso not (A < 1) orelse B ->
                   {object(), bindings()} end).

fun2ms_map() -> ets:fun2ms(fun({A, #{k := V}}) -> #{a => A, v => V} end).

fun2ms_select() ->
    set(fun(T) ->
            lists:sort(ets:select(T, ets:fun2ms(fun({K, V, _}) when V =:= a -> K end))) end).

repair() ->
    T = numbers(ordered_set, 10),
    Ms = [{{'$1', '_'}, [], ['$1']}],
    {_, C} = ets:select(T, Ms, 3),
    {L, _} = ets:select(ets:repair_continuation(binary_to_term(term_to_binary(C)), Ms)),
    L.

table_changes_between() ->
    T = numbers(ordered_set, 10),
    {A, C} = ets:select(T, [{{'$1', '_'}, [], ['$1']}], 3),
    ets:delete(T, 5),
    ets:insert(T, {4.5, x}),
    {B, _} = ets:select(C),
    {A, B}.

float_integer_keys() ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, [{1, a}, {2.0, b}]),
    {ets:match_object(T, {1.0, '_'}), ets:match_object(T, {2, '_'}),
     ets:select(T, [{{'$1', '_'}, [{'==', '$1', 2}], ['$1']}])}.

bag_select() ->
    T = ets:new(t, [bag]),
    ets:insert(T, [{k, 1}, {k, 2}, {j, 3}]),
    {lists:sort(ets:select(T, [{{k, '$1'}, [], ['$1']}])),
     ets:select_delete(T, [{{k, 1}, [], [true]}]), lists:sort(ets:tab2list(T))}.

deep_pattern() ->
    ets:match_spec_run([{[1, {2, [3 | 4]}], x}], ets:match_spec_compile(
                           [{{['$1', {'$2', ['$3' | '$4']}], '_'}, [],
                             [{{'$4', '$3', '$2', '$1'}}]}])).

binary_pattern() ->
    ets:match_spec_run([{<<"a">>, 1.5, 1 bsl 70, "str"}],
                       ets:match_spec_compile([{{<<"a">>, 1.5, 1 bsl 70, "str"}, [], [all]}])).

atom_dollar() ->
    ets:match_spec_run([{'$abc', '$'}, {'$1', x}], ets:match_spec_compile(
                           [{{'$abc', '$'}, [], [found]}, {'$1', [], [{element, 2, '$1'}]}])).

large_select() ->
    T = numbers(ordered_set, 600),
    length(ets:select(T, [{{'$1', 3}, [{'>', '$1', 100}], ['$1']}])).
