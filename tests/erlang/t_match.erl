%% Matching binaries and bitstrings.
-module(t_match).
-export([unsigned/0, signed/0, little/0, native/0, sizes/0, sizes_signed/0, sizes_little/0,
         sizes_little_signed/0, unaligned/0, unaligned_little/0, unaligned_signed/0,
         big_numbers/0, constants/0, size_from_field/0, size_from_field_bits/0,
         size_expression/0, size_unit/0, not_enough/0, tails/0, tail_not_binary/0, tail_unit/0,
         floats/0, floats_little/0, floats_unaligned/0, floats_bad/0, utf8/0, utf8_bad/0,
         utf16/0, utf16_bad/0, utf32/0, utf_skip/0, utf_string/0, utf_loop/0, utf_unaligned/0,
         sum_loop/0, bits_loop/0, words_loop/0, context_reuse/0, context_escapes/0, backtrack/0,
         tlv/0, ip_header/0, select_by_integer/0, bound_value/0, same_variable_twice/0,
         guard_on_field/0, zero_size/0, negative_size/0, bad_size_type/0, huge_size/0,
         not_a_binary/0, badmatch/0, sub_binary_of_sub_binary/0, sub_binary_compare/0,
         sub_binary_hash/0, parse_number/0, hex/0, base64_own/0, reverse_bits/0, in_fun/0,
         in_receive/0, large_binary/0, string_skip/0, match_at_offset/0,
         bytes_and_bits_alias/0]).
-include("t.hrl").

-define(BYTES, <<16#12, 16#34, 16#56, 16#78, 16#9A, 16#BC, 16#DE, 16#F0, 16#0F, 16#1E, 16#2D,
    16#3C>>).

unsigned() -> <<A:8, B:16, C:24, _/bits>> = ?ID(?BYTES), {A, B, C}.
signed() -> <<_:32, A:8/signed, B:16/signed, _/bits>> = ?ID(?BYTES), {A, B}.
little() -> <<A:16/little, B:32/little, C:24/little-signed, _/bits>> = ?ID(?BYTES), {A, B, C}.
native() -> <<A:32/native, _/bits>> = ?ID(?BYTES), <<B:32/little, _/bits>> = ?ID(?BYTES), A =:= B.

sizes() ->
    [begin <<V:S, _/bits>> = ?BYTES, V end
     || S <- [0, 1, 3, 7, 8, 13, 31, 32, 59, 60, 61, 64, 65, 90]].

sizes_signed() ->
    [begin <<_:32, V:S/signed, _/bits>> = ?BYTES, V end
     || S <- [0, 1, 3, 7, 8, 13, 31, 32, 59, 60, 64]].

sizes_little() ->
    [begin <<V:S/little, _/bits>> = ?BYTES, V end
     || S <- [0, 1, 3, 7, 8, 13, 31, 32, 59, 60, 61, 64, 65, 90]].

sizes_little_signed() ->
    [begin <<_:32, V:S/little-signed, _/bits>> = ?BYTES, V end
     || S <- [0, 1, 3, 7, 8, 13, 31, 32, 60, 64]].

unaligned() -> [begin <<_:O, V:16, _/bits>> = ?BYTES, V end || O <- lists:seq(0, 12)].
unaligned_little() -> [begin <<_:O, V:20/little, _/bits>> = ?BYTES, V end || O <- lists:seq(0, 9)].
unaligned_signed() -> [begin <<_:O, V:11/signed, _/bits>> = ?BYTES, V end || O <- lists:seq(0, 9)].
big_numbers() -> <<A:96>> = ?ID(?BYTES), <<B:96/signed-little>> = ?ID(?BYTES), {A, B}.

constants() ->
    [c(B) || B <- [<<1, 2>>, <<1, 3>>, <<"ab">>, <<"abc">>, <<>>, <<1:4, 5:4>>, <<1:1>>]].

c(<<1, 2>>) -> one_two;
c(<<1, X>>) -> {one, X};
c(<<"ab">>) -> ab;
c(<<"ab", R/binary>>) -> {ab, R};
c(<<>>) -> empty;
c(<<1:4, X:4>>) -> {nibble, X};
c(_) -> other.
size_from_field() -> <<L, D:L/binary, R/binary>> = ?ID(<<3, "abcdef">>), {L, D, R}.
size_from_field_bits() -> <<L:4, D:L, R/bits>> = ?ID(<<5:4, 17:5, 3:7>>), {L, D, R}.
size_expression() -> <<N:8, D:(N * 2 + 1)/binary, _/binary>> = ?ID(<<1, "abcdef">>), D.
size_unit() -> <<A:2/binary-unit:4, B:2/unit:8, C/binary-unit:8>> = ?ID(<<"abcdef">>), {A, B, C}.
not_enough() -> [catch_match(B) || B <- [<<>>, <<1>>, <<1, 2>>, <<1, 2, 3>>, <<1:17>>]].
catch_match(<<A:16, _/binary>>) -> {ok, A};
catch_match(<<A, _/bits>>) -> {one, A};
catch_match(_) -> no.

tails() ->
    B = ?ID(<<"abcd">>),
    <<_, T1/binary>> = B,
    <<_:4, T2/bits>> = B,
    <<_:2/binary, T3/binary>> = B,
    {T1, T2, T3}.

tail_not_binary() ->
    [case B of <<_:4, R/binary>> -> R; _ -> no end || B <- [<<1:4>>, <<1:12>>, <<1:8>>, <<1:5>>]].

tail_unit() ->
    [case B of <<R/binary-unit:16>> -> {ok, R}; _ -> no end
     || B <- [<<>>, <<1>>, <<1, 2>>, <<1:17>>]].

floats() ->
    <<A/float, B:32/float, C:16/float>> = ?ID(<<1.5/float, 2.5:32/float, 0.5:16/float>>),
    {A, B, C}.

floats_little() ->
    <<A/float-little, B:32/float-little>> = ?ID(<<1.5/float-little, 2.5:32/float-little>>),
    {A, B}.

floats_unaligned() -> <<_:3, A/float, _/bits>> = ?ID(<<0:3, 7.25/float, 1:2>>), A.

floats_bad() ->
    [case B of <<F/float>> -> F; <<F:32/float>> -> F; _ -> no end
     || B <- [<<0>>, <<16#7F800000:32>>, <<16#7FF0:16, 1:48>>]].

utf8() -> <<A/utf8, B/utf8, C/utf8, R/binary>> = ?ID(<<"aé日x"/utf8>>), {A, B, C, R}.

utf8_bad() ->
    [case B of <<C/utf8, R/binary>> -> {C, R}; _ -> no end
     || B <- [<<>>, <<128>>, <<195>>, <<192, 128>>, <<224, 128, 128>>, <<237, 160, 128>>,
              <<244, 144, 128, 128>>, <<255>>, <<195, 40>>, <<240, 144, 128, 128>>, <<226, 130>>,
              <<239, 191, 191>>]].

utf16() ->
    <<A/utf16, B/utf16-little, C/utf16>> = ?ID(<<$a/utf16, 233/utf16-little, 16#10000/utf16>>),
    {A, B, C}.

utf16_bad() ->
    [case B of <<C/utf16>> -> C; _ -> no end
     || B <- [<<16#D8, 0>>, <<16#DC, 0, 0, 0>>, <<16#D8, 0, 0, 1>>, <<1>>, <<0, 65>>]].

utf32() ->
    [case B of <<C/utf32>> -> C; _ -> no end
     || B <- [<<65:32>>, <<16#110000:32>>, <<16#D800:32>>, <<1:16>>]].

utf_skip() ->
    <<_/utf8, _/utf16, _/utf32, R/binary>> = ?ID(<<233/utf8, 65536/utf16, 7/utf32, "rest">>),
    R.

utf_string() -> case ?ID(<<"aé!"/utf8>>) of <<"aé"/utf8, R/binary>> -> R; _ -> no end.
utf_loop() -> codepoints(?ID(<<"aé日本\x{10000}"/utf8>>)).
codepoints(<<C/utf8, R/binary>>) -> [C | codepoints(R)];
codepoints(<<>>) -> [].
utf_unaligned() -> <<_:3, C/utf8, R/bits>> = ?ID(<<5:3, 233/utf8, 1:2>>), {C, R}.
sum_loop() -> sum(?BYTES, 0).
sum(<<X, R/binary>>, Acc) -> sum(R, Acc + X);
sum(<<>>, Acc) -> Acc.
bits_loop() -> bits(?ID(<<16#A5, 3:3>>)).
bits(<<B:1, R/bits>>) -> [B | bits(R)];
bits(<<>>) -> [].
words_loop() -> words(<<"hello big  world">>, <<>>, []).
words(<<$\s, R/binary>>, W, Acc) -> words(R, <<>>, [W | Acc]);
words(<<C, R/binary>>, W, Acc) -> words(R, <<W/binary, C>>, Acc);
words(<<>>, W, Acc) -> lists:reverse([W | Acc]).
context_reuse() -> ctx(<<1, 2, 3, 4, 5, 0, 9>>, []).
ctx(<<0, Rest/binary>>, Acc) -> {lists:reverse(Acc), Rest};
ctx(<<1, X, Rest/binary>>, Acc) -> ctx(Rest, [{pair, X} | Acc]);
ctx(<<X, Rest/binary>> = All, Acc) -> ctx(Rest, [{X, byte_size(All)} | Acc]).
context_escapes() -> esc(<<"abcd">>, []).
esc(<<C, R/binary>> = B, Acc) when byte_size(B) rem 2 =:= 0 -> esc(R, [B, C | Acc]);
esc(<<_, R/bytes>>, Acc) -> esc(R, [R | Acc]);
esc(<<>>, Acc) -> Acc.
backtrack() -> [bt(B) || B <- [<<1, 2, 3>>, <<1, 2, 4, 5>>, <<1, 3>>, <<2:2>>]].
bt(<<1, 2, 3>>) -> a;
bt(<<1, 2, X, Y>>) -> {X, Y};
bt(<<1, R/binary>>) -> {rest, R};
bt(B) -> {no, B}.
tlv() -> tlv(<<1, 2, "ab", 7, 0, 3, 4, 1, 2, 3, 4, 99>>).
tlv(<<T, L, V:L/binary, R/binary>>) -> [{T, V} | tlv(R)];
tlv(Rest) -> [{rest, Rest}].

ip_header() ->
    <<V:4, HL:4, _, Len:16, Id:16, Fl:3, Off:13, TTL, P, _:16, S:4/binary, D:32>> = ?ID(
        <<69, 0, 0, 60, 28, 70, 64, 0, 64, 6, 177, 230, 172, 16, 10, 99, 172, 16, 10, 12>>),
    {V, HL, Len, Id, Fl, Off, TTL, P, S, D}.

select_by_integer() -> [sel(B) || B <- [<<1, 0>>, <<2, 1, 2>>, <<3, 9:16>>, <<4>>, <<>>]].
sel(<<1, X>>) -> {one, X};
sel(<<2, X, Y>>) -> {two, X, Y};
sel(<<3, X:16>>) -> {three, X};
sel(<<N>>) -> {other, N};
sel(_) -> none.

bound_value() ->
    X = ?ID(7),
    [case B of <<X, R/binary>> -> {same, R}; <<_, R/binary>> -> {different, R}; _ -> no end
     || B <- [<<7, 1>>, <<8, 1>>, <<>>]].

same_variable_twice() ->
    [case B of <<X, X, _/binary>> -> X; _ -> no end || B <- [<<1, 1>>, <<1, 2>>, <<3, 3, 4>>]].

guard_on_field() ->
    [case B of <<X, _/binary>> when X > 5 -> big; <<X, _/binary>> -> X; _ -> no end
     || B <- [<<9>>, <<3, 1>>, <<>>]].

zero_size() -> S = ?ID(0), <<A:0, B:S, R/binary>> = ?ID(<<"x">>), {A, B, R}.

negative_size() ->
    S = ?ID(-1),
    [case ?ID(<<"abc">>) of <<_:S/binary, _/binary>> -> yes; _ -> no end,
     case ?ID(<<"abc">>) of <<_:S, _/bits>> -> yes; _ -> no end].

bad_size_type() -> S = ?ID(a), case ?ID(<<"abc">>) of <<_:S, _/bits>> -> yes; _ -> no end.
huge_size() -> S = ?ID(1 bsl 62), case ?ID(<<"abc">>) of <<_:S, _/bits>> -> yes; _ -> no end.
not_a_binary() -> [case ?ID(X) of <<_/bits>> -> yes; _ -> no end || X <- [a, [], 1, <<1>>, {}]].
badmatch() -> [?TRY(begin <<1, _/binary>> = ?ID(<<2>>) end), ?TRY(begin <<_:8>> = ?ID(<<>>) end)].

sub_binary_of_sub_binary() ->
    <<_, A/binary>> = ?ID(<<"abcdefgh">>),
    <<_:2/binary, B:3/binary, _/binary>> = A,
    <<_:4, C/bits>> = B,
    {A, B, C}.

sub_binary_compare() ->
    <<_:4, A:16/bits, _/bits>> = ?ID(<<16#01, 16#23, 16#45>>),
    {A, A =:= <<16#12, 16#34>>, A == <<16#1234:16>>, A < <<16#13>>}.

sub_binary_hash() ->
    <<_:4, A:16/bits, _/bits>> = ?ID(<<16#01, 16#23, 16#45>>),
    erlang:phash2(A) =:= erlang:phash2(<<16#1234:16>>).

parse_number() -> [num(B, 0) || B <- [<<"123">>, <<"0">>, <<"99x">>, <<>>]].
num(<<D, R/binary>>, N) when D >= $0, D =< $9 -> num(R, N * 10 + D - $0);
num(R, N) -> {N, R}.
hex() -> << <<(hexd(X)), (hexd(Y))>> || <<X:4, Y:4>> <= ?BYTES >>.
hexd(X) when X < 10 -> $0 + X;
hexd(X) -> $a + X - 10.
base64_own() -> [b64(B) || B <- [<<>>, <<"a">>, <<"ab">>, <<"abc">>, <<"abcd">>]].
b64(<<A:6, B:6, C:6, D:6, R/binary>>) -> [A, B, C, D | b64(R)];
b64(<<A:6, B:6, C:4>>) -> [A, B, C bsl 2, pad];
b64(<<A:6, B:2>>) -> [A, B bsl 4, pad, pad];
b64(<<>>) -> [].
reverse_bits() -> rev(?ID(<<16#12, 16#34, 5:3>>), <<>>).
rev(<<B:1, R/bits>>, Acc) -> rev(R, <<B:1, Acc/bits>>);
rev(<<>>, Acc) -> Acc.
in_fun() -> F = fun(<<A, B/binary>>) -> {A, B}; (_) -> no end, [F(X) || X <- [<<1, 2>>, <<>>, x]].
in_receive() -> self() ! <<1, 2, 3>>, self() ! <<9, 8>>, receive <<9, X>> -> X end.
large_binary() -> B = binary:copy(<<1, 2, 3, 4>>, 5000), count(B, 0).
count(<<_:4/binary, R/binary>>, N) -> count(R, N + 1);
count(<<>>, N) -> N.

string_skip() ->
    <<"GET ", P:5/binary, " HTTP/", Ma, $., Mi>> = ?ID(<<"GET /path HTTP/1.1">>),
    {P, Ma, Mi}.

match_at_offset() ->
    [begin <<_:O/binary, C, _/binary>> = ?ID(<<"abcdef">>), C end || O <- [0, 3, 5]].

bytes_and_bits_alias() -> <<A/bytes>> = ?ID(<<"x">>), <<B/bitstring>> = ?ID(<<1:1>>), {A, B}.
