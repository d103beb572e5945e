%% The external term format and the hashes over terms.
-module(t_etf).
-export([bytes/0, round_trip/0, round_trip_compressed/0, round_trip_levels/0,
         compressed_smaller/0, not_compressible/0, minor_versions/0, options_bad/0,
         deterministic/0, pid_ref_round_trip/0, fun_round_trip/0, large_map/0, large_tuple/0,
         long_string/0, decode_tags/0, decode_non_canonical/0, decode_bad/0, decode_truncated/0,
         decode_trailing/0, safe/0, safe_known_atoms/0, safe_used/0, options_decode_bad/0,
         unaligned/0, iovec/0, external_sizes/0, nested_deep/0, phash2/0, phash2_range/0,
         phash2_bad/0, phash2_large_map/0, phash2_binaries/0, phash2_bits/0,
         phash2_sub_binary/0, phash2_floats/0, phash2_bigs/0, phash2_small_ints/0,
         phash2_long_list/0, phash2_string/0, phash2_tuples/0, phash2_atoms/0, phash2_maps/0,
         phash2_nested/0, phash/0, phash_range/0, md5_of_terms/0, crc_of_terms/0]).
-include("t.hrl").

-define(TERMS, [0, 1, 255, 256, -1, 65535, 2147483647, -2147483648, 2147483648, 1 bsl 59, 1 bsl 60,
    1 bsl 64, -(1 bsl 64),
                1 bsl 2040, 1 bsl 2048, 0.0, 1.5, -1.0e100, a, '', 'Quoted atom', 'é', '日本', true,
                    [], [1, 2, 3], "string",
                [256], [a | b], [[], [[]]], {}, {a}, {a, {b}, "c"}, <<>>, <<"binary">>, <<1:1>>,
                    <<5:3>>, <<1, 2, 3:7>>, #{},
                #{a => 1}, #{1 => a, 2.0 => b, "k" => #{}}, fun lists:map/2, [1.5, <<"x">>, {y}],
                    lists:seq(1, 300)]).

bytes() -> [term_to_binary(T) || T <- ?TERMS].
round_trip() -> [T || T <- ?TERMS, binary_to_term(term_to_binary(T)) =/= T].

round_trip_compressed() ->
    [T || T <- ?TERMS, binary_to_term(term_to_binary(T, [compressed])) =/= T].

round_trip_levels() ->
    T = lists:duplicate(1000, {abc, "def"}),
    [binary_to_term(term_to_binary(T, [{compressed, L}])) =:= T || L <- lists:seq(0, 9)].

compressed_smaller() ->
    T = lists:duplicate(1000, abc),
    B = term_to_binary(T),
    C = term_to_binary(T, [compressed]),
    {byte_size(C) < byte_size(B), binary:first(C), binary:at(C, 1)}.

not_compressible() -> term_to_binary(a, [compressed]) =:= term_to_binary(a).
minor_versions() -> [term_to_binary(T, [{minor_version, V}]) || T <- [1.5, a, 'é'], V <- [0, 1, 2]].

options_bad() ->
    [?TRY(term_to_binary(a, ?ID(O)))
     || O <- [[bad], a, [{compressed, 10}], [{minor_version, 3}]]].

deterministic() -> term_to_binary(#{c => 1, a => 2, b => 3}, [deterministic]).
pid_ref_round_trip() -> T = {self(), make_ref()}, binary_to_term(term_to_binary(T)) =:= T.

fun_round_trip() ->
    X = ?ID(5),
    F = fun(Y) -> X + Y end,
    G = binary_to_term(term_to_binary(F)),
    {G(1), F =:= G}.

large_map() ->
    M = maps:from_list([{I, I} || I <- lists:seq(1, 100)]),
    binary_to_term(term_to_binary(M)) =:= M.

large_tuple() ->
    T = list_to_tuple(lists:seq(1, 300)),
    B = term_to_binary(T),
    {binary:at(B, 1), binary_to_term(B) =:= T}.

long_string() ->
    L = binary_to_list(binary:copy(<<"a">>, 70000)),
    B = term_to_binary(L),
    {binary:at(B, 1), binary_to_term(B) =:= L}.

decode_tags() ->
    [?TRY(binary_to_term(<<131, B/binary>>)) || B <- [<<97, 7>>, <<98, -1:32>>,
                                                      <<100, 0, 1, "a">>, <<115, 1, "a">>,
                                                      <<118, 0, 2, 195, 169>>,
                                                      <<119, 2, 195, 169>>, <<104, 1, 97, 1>>,
                                                      <<105, 0, 0, 0, 1, 97, 1>>, <<106>>,
                                                      <<107, 0, 2, "ab">>,
                                                      <<108, 0, 0, 0, 1, 97, 1, 106>>,
                                                      <<109, 0, 0, 0, 1, "x">>,
                                                      <<77, 0, 0, 0, 1, 3, 160>>,
                                                      <<116, 0, 0, 0, 1, 97, 1, 97, 2>>,
                                                      <<110, 1, 0, 5>>, <<110, 1, 1, 5>>,
                                                      <<111, 0, 0, 0, 1, 0, 9>>,
                                                      <<70, 1.5/float>>,
                                                      <<99, "1.50000000000000000000e+00", 0:40>>,
                                                      <<113, 119, 5, "lists", 119, 3, "map", 97,
                                                        2>>]].

decode_non_canonical() ->
    [binary_to_term(<<131, B/binary>>) || B <- [<<110, 3, 0, 1, 0, 0>>, <<110, 0, 0>>,
                                                <<98, 5:32>>, <<108, 0, 0, 0, 0, 106>>,
                                                <<111, 0, 0, 0, 9, 1, 0:64, 1>>]].

decode_bad() ->
    [?TRY(binary_to_term(?ID(B))) || B <- [<<>>, <<131>>, <<131, 97>>, <<130, 97, 1>>,
                                           <<131, 255>>, <<131, 98, 0, 0>>,
                                           <<131, 104, 2, 97, 1>>,
                                           <<131, 109, 0, 0, 0, 5, "abc">>,
                                           <<131, 107, 0, 5, "a">>, <<131, 119, 2, 255, 255>>,
                                           <<131, 116, 0, 0, 0, 2, 97, 1, 97, 1, 97, 1, 97, 2>>,
                                           <<131, 80, 0, 0, 0, 5, 1, 2, 3>>,
                                           <<131, 77, 0, 0, 0, 1, 9, 1>>,
                                           <<131, 70, 127, 240, 0, 0, 0, 0, 0, 0>>,
                                           <<131, 108, 255, 255, 255, 255>>, a, <<1:3>>]].

decode_truncated() ->
    B = term_to_binary({a, [1, 2.5, "str"], <<"bin">>, #{k => 1 bsl 80}}),
    [?TRY(binary_to_term(binary:part(B, 0, N))) || N <- lists:seq(0, byte_size(B) - 1)].

decode_trailing() ->
    {binary_to_term(<<131, 97, 1, "rest">>), binary_to_term(<<131, 97, 1, "rest">>, [used])}.

safe() ->
    [?TRY(binary_to_term(?ID(B), [safe])) || B <- [term_to_binary(true),
                                                   <<131, 119, 20, "atom_never_seen_zqxw">>,
                                                   term_to_binary("x"),
                                                   <<131, 113, 119, 5, "lists", 119, 3, "map", 97,
                                                     2>>]].

safe_known_atoms() ->
    T = {t_etf, #{safe_known_atoms => ['A b', -1.5]}, <<1:3>>},
    binary_to_term(term_to_binary(T), [safe]).

safe_used() -> binary_to_term(<<131, 97, 5, 0>>, [safe, used]).
options_decode_bad() -> [?TRY(binary_to_term(<<131, 97, 1>>, ?ID(O))) || O <- [[bad], a]].

unaligned() ->
    <<_:3, B/binary>> = ?ID(<<5:3, (term_to_binary({a, "b", 1.5}))/binary>>),
    binary_to_term(B).

iovec() -> iolist_to_binary(erlang:term_to_iovec({a, <<"b">>})) =:= term_to_binary({a, <<"b">>}).
external_sizes() -> [erlang:external_size(T) || T <- ?TERMS, not is_float(T)].

nested_deep() ->
    T = lists:foldl(fun(I, A) -> [{I, A}] end, [], lists:seq(1, 2000)),
    binary_to_term(term_to_binary(T)) =:= T.

phash2() -> [erlang:phash2(T) || T <- ?TERMS, not is_function(T)].

phash2_range() ->
    [[erlang:phash2(T, R) || R <- [1, 2, 10, 1024, 1 bsl 32]] || T <- [a, 1, "x", {a}]].

phash2_bad() -> [?TRY(erlang:phash2(a, ?ID(R))) || R <- [0, -1, a, (1 bsl 32) + 1]].
phash2_large_map() -> erlang:phash2(maps:from_list([{I, I} || I <- lists:seq(1, 100)])).
phash2_binaries() -> [erlang:phash2(binary:copy(<<"abc">>, N)) || N <- lists:seq(0, 20)].
phash2_bits() -> [erlang:phash2(<<N:S>>) || {N, S} <- [{1, 1}, {5, 3}, {1, 9}, {77, 17}]].

phash2_sub_binary() ->
    <<_:4, B:24/bits, _/bits>> = ?ID(<<16#0616263:28, 5:4>>),
    {B, erlang:phash2(B) =:= erlang:phash2(<<"abc">>)}.

phash2_floats() -> [erlang:phash2(F) || F <- [0.0, 1.0, -1.5, 1.0e300]].

phash2_bigs() ->
    [erlang:phash2(N) || N <- [1 bsl 27, 1 bsl 28, 1 bsl 32, 1 bsl 59, 1 bsl 64, 1 bsl 96,
                               -(1 bsl 96), (1 bsl 128) - 1]].

phash2_small_ints() -> [erlang:phash2(N) || N <- lists:seq(-20, 20)].
phash2_long_list() -> erlang:phash2(lists:seq(1, 1000)).

phash2_string() ->
    [erlang:phash2(S) || S <- ["a", "hello", lists:duplicate(300, $x), [1, 2, 256], [1, a]]].

phash2_tuples() -> [erlang:phash2(list_to_tuple(lists:seq(1, N))) || N <- lists:seq(0, 10)].
phash2_atoms() -> [erlang:phash2(A) || A <- [a, b, ab, 'a long atom with spaces', 'é', '日本']].

phash2_maps() ->
    [erlang:phash2(M)
     || M <- [#{}, #{a => 1}, #{b => 1}, #{a => 1, b => 2}, #{1.0 => x}, #{"k" => [v]}]].

phash2_nested() -> erlang:phash2({a, [b, {c, #{d => <<"e">>}}], 1.5}).
phash() -> [erlang:phash(T, 1 bsl 32) || T <- ?TERMS, not is_function(T)].
phash_range() -> [erlang:phash(T, 10) || T <- [a, 1, "x", {a}, 1.5, <<"b">>]].
md5_of_terms() -> erlang:md5(term_to_binary(lists:seq(1, 1000))).
crc_of_terms() -> erlang:crc32(term_to_binary(?TERMS)).
