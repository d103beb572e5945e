%% Building binaries and bitstrings: every segment type, sizes, flags, errors, appending.
-module(t_construct).
-export([constants/0, integers_8/0, integers_sizes/0, integers_little/0,
         integers_constant_size/0, integers_unaligned/0, integers_unaligned_little/0,
         integers_native/0, integers_unit/0, integers_huge/0, floats/0, floats_from_integers/0,
         floats_unaligned/0, float_errors/0, binaries/0, binaries_bits/0, binary_errors/0,
         size_too_big/0, utf8/0, utf16/0, utf32/0, utf_errors/0, utf_strings/0, utf_unaligned/0,
         strings/0, variable_sizes/0, expression_segments/0, append_loop/0, append_shared/0,
         append_shared_deep/0, append_bits/0, append_binary/0, append_large/0,
         append_to_literal/0, append_while_matching/0, append_sub_binary/0, append_utf8/0,
         append_error/0, prepend_loop/0, bits_join/0, empty_segments/0, record_packet/0,
         ip_header/0, list_to_binaries/0, list_to_binary_errors/0, iovec/0, size_of_bits/0,
         printing/0]).
-include("t.hrl").

-define(INTEGERS, [0, 1, -1, 127, 128, 255, 256, -128, -129, 65535, 1 bsl 31, 1 bsl 59, 1 bsl 60,
                   1 bsl 63, 1 bsl 64, -(1 bsl 64), 16#0123456789ABCDEF0123456789]).

constants() ->
    {<<>>, <<1, 2, 3>>, <<"text">>, <<1:1>>, <<0:7>>, <<"a", 0, "b":16>>, <<-1>>, <<1.5/float>>}.

integers_8() -> [<<I>> || I <- ?INTEGERS].

integers_sizes() ->
    [[<<I:S>> || S <- [0, 1, 3, 8, 9, 16, 24, 31, 32, 33, 64, 65, 100]] || I <- ?INTEGERS].

integers_little() ->
    [[<<I:S/little>> || S <- [0, 1, 3, 8, 12, 16, 24, 33, 64, 65, 100]] || I <- ?INTEGERS].

integers_constant_size() ->
    [{<<I:4>>, <<I:12>>, <<I:16/little>>, <<I:20/little>>, <<I:64>>, <<I:128/little>>}
     || I <- ?INTEGERS].

integers_unaligned() -> [<<1:3, I:16, 2:5>> || I <- ?INTEGERS].
integers_unaligned_little() -> [<<1:3, I:24/little, 2:4>> || I <- ?INTEGERS].
integers_native() -> [<<I:32/native>> =:= <<I:32/little>> || I <- ?INTEGERS].
integers_unit() -> [<<I:2/unit:8>> || I <- ?INTEGERS].
integers_huge() -> byte_size(<<1:8000>>) + byte_size(<<0:80000, 1>>).

floats() ->
    [{<<F/float>>, <<F/little-float>>, <<F:32/float>>, <<F:32/float-little>>, <<F:16/float>>}
     || F <- [0.0, 1.0, -1.5, 0.1, 1.0e30]].

floats_from_integers() -> [<<I/float>> || I <- [0, 1, -3, 1 bsl 60, 1 bsl 70]].
floats_unaligned() -> <<1:1, (?ID(1.5))/float, 0:3>>.

float_errors() ->
    [?TRY(<<(?ID(a))/float>>), ?TRY(<<(?ID(1.0)):(?ID(17))/float>>),
     ?TRY(<<(?ID(1.0e300)):32/float>>), ?TRY(<<(?ID(1 bsl 2000))/float>>),
     ?TRY(<<(?ID(1.0e10)):16/float>>)].

binaries() ->
    B = ?ID(<<"abc">>),
    {<<B/binary>>, <<1, B/binary, 2>>, <<B:2/binary>>, <<B/binary, B/binary>>,
     <<B:1/binary, B:2/binary>>}.

binaries_bits() ->
    B = ?ID(<<5:3>>),
    {<<B/bitstring>>, <<B/bits, B/bits>>, <<1:1, B/bits>>, <<B:2/bits>>,
     <<(?ID(<<"ab">>)):9/bits>>}.

binary_errors() ->
    [?TRY(<<(?ID(a))/binary>>), ?TRY(<<(?ID(<<1:3>>))/binary>>),
     ?TRY(<<(?ID(<<1>>)):(?ID(2))/binary>>), ?TRY(<<(?ID(<<1>>)):(?ID(-1))/binary>>),
     ?TRY(<<(?ID(1)):(?ID(-1))>>), ?TRY(<<(?ID(1)):(?ID(a))>>), ?TRY(<<(?ID(1.5))>>),
     ?TRY(<<(?ID("x")):8>>), ?TRY(<<(?ID([1]))/binary>>)].

size_too_big() -> [?TRY(<<0:(?ID(1 bsl 64))>>), ?TRY(<<(?ID(0)):(?ID(1 bsl 70))>>)].

utf8() ->
    [<<C/utf8>>
     || C <- [0, $a, 127, 128, 255, 2047, 2048, 16#FFFF, 16#10000, 16#10FFFF, 16#D7FF, 16#E000]].

utf16() -> [{<<C/utf16>>, <<C/utf16-little>>} || C <- [0, $a, 255, 16#FFFF, 16#10000, 16#10FFFF]].
utf32() -> [{<<C/utf32>>, <<C/utf32-little>>} || C <- [0, $a, 255, 16#FFFF, 16#10FFFF]].

utf_errors() ->
    [[?TRY(<<C/utf8>>), ?TRY(<<C/utf16>>), ?TRY(<<C/utf32>>)]
     || C <- [-1, 16#D800, 16#DFFF, 16#110000, a, 1.0]].

utf_strings() -> {<<"aé日\x{10000}"/utf8>>, <<"aé"/utf16>>, <<"aé"/utf32-little>>}.
utf_unaligned() -> {<<1:1, 233/utf8>>, <<1:4, $a/utf16, 2:4>>}.
strings() -> {<<"abc":16>>, <<"abc":4>>, <<"ab":16/little>>, <<"é">>}.
variable_sizes() -> [<<X:S>> || {X, S} <- [{1, 0}, {1, 1}, {255, 4}, {1, 17}]].
expression_segments() -> X = ?ID(3), <<(X + 1):(X * 8), (X * X):8, (list_to_binary("ab"))/binary>>.
append_loop() -> append(20, <<>>).
append(0, B) -> B;
append(N, B) -> append(N - 1, <<B/binary, N>>).

append_shared() ->
    A = append(5, <<>>),
    B = <<A/binary, "x">>,
    C = <<A/binary, "y">>,
    D = <<B/binary, "z">>,
    {A, B, C, D}.

append_shared_deep() ->
    A = append(100, <<>>),
    Bs = [<<A/binary, I>> || I <- [1, 2, 3]],
    [binary:last(B) || B <- Bs] ++ [byte_size(A)].

append_bits() -> append_bits(20, <<>>).
append_bits(0, B) -> B;
append_bits(N, B) -> append_bits(N - 1, <<B/bitstring, N:3>>).

append_binary() ->
    lists:foldl(fun(X, Acc) -> <<Acc/binary, X/binary, "-">> end, <<>>,
                [<<"a">>, <<"bb">>, <<>>]).

append_large() -> B = append_many(10000, <<>>), {byte_size(B), erlang:crc32(B)}.
append_many(0, B) -> B;
append_many(N, B) -> append_many(N - 1, <<B/binary, N:16>>).
append_to_literal() -> [<<(?ID(<<"pre">>))/binary, X>> || X <- "abc"].

append_while_matching() ->
    B = append(10, <<>>),
    <<H:3/binary, T/binary>> = B,
    C = <<B/binary, 99>>,
    {H, T, C}.

append_sub_binary() -> <<_, S:4/binary, _/binary>> = append(10, <<>>), {<<S/binary, 1>>, S}.
append_utf8() -> lists:foldl(fun(C, A) -> <<A/binary, C/utf8>> end, <<>>, [$a, 233, 26085, 65536]).
append_error() -> ?TRY(<<(?ID([]))/binary, 1>>).
prepend_loop() -> lists:foldl(fun(X, Acc) -> <<X, Acc/binary>> end, <<>>, [1, 2, 3]).

bits_join() ->
    lists:foldl(fun(X, Acc) -> <<Acc/bits, X/bits>> end, <<>>,
                [<<1:1>>, <<2:2>>, <<3:3>>, <<4:9>>]).

empty_segments() -> {<<(?ID(<<>>))/binary, (?ID(<<>>))/bits, 0:0>>, <<1:(?ID(0)), 2>>}.
record_packet() -> packet(?ID(7), ?ID(<<"payload">>)).

packet(Type, Payload) ->
    <<Type:4, 0:4, (byte_size(Payload)):16, Payload/binary, (erlang:crc32(Payload)):32>>.

ip_header() ->
    <<4:4, 5:4, 0, 60:16/big, 7238:16, 2:3, 0:13, 64, 6, 0:16, 10, 0, 0, 1, 192, 168, 0, 1>>.

list_to_binaries() ->
    {list_to_binary([1, [2, "3"], <<4>> | <<5>>]), iolist_to_binary(["a", [<<"b">>, $c]]),
     list_to_bitstring([1, <<1:1>>]), iolist_to_binary(<<"x">>),
     iolist_size(["abc", <<1, 2>>, 3])}.

list_to_binary_errors() ->
    [?TRY(list_to_binary(?ID([256]))), ?TRY(list_to_binary(?ID([a]))),
     ?TRY(list_to_binary(?ID(<<1>>))), ?TRY(iolist_to_binary(?ID([-1]))),
     ?TRY(iolist_size(?ID([a]))), ?TRY(list_to_binary([<<1:1>>])),
     ?TRY(iolist_to_binary(?ID([1 | 2])))].

iovec() -> [erlang:iolist_to_iovec(L) || L <- [[], <<>>, "ab", [<<"x">>]]].

size_of_bits() ->
    [{bit_size(B), byte_size(B), is_binary(B)} || B <- [<<>>, <<1:1>>, <<1>>, <<1:9>>, <<1:16>>]].

printing() ->
    {<<1, 2>>, <<"abc">>, <<"abc", 0>>, <<"\n\t">>, <<"é">>, <<255:9>>, <<"x", 3:2>>, <<0:1>>}.
