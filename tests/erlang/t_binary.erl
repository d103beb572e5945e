%% The binary module and the functions of erlang that work on binaries.
-module(t_binary).
-export([at/0, at_bad/0, first_last/0, part/0, part_bad/0, copy/0, match/0, match_scope/0,
         match_bad/0, matches/0, matches_longest/0, matches_overlap/0, matches_scope/0,
         compiled/0, split/0, split_many/0, split_scope/0, replace/0, decode_unsigned/0,
         encode_unsigned/0, encode_bad/0, lists_round_trip/0, lists_bad/0, common/0,
         referenced/0, split_binary/0, encode_hex/0, crc32/0, adler32/0, md5/0,
         md5_incremental/0, large_split/0, large_match/0, unaligned_operations/0,
         decode_packet_line/0, decode_packet_length/0, decode_packet_http/0, external_size/0]).
-include("t.hrl").

at() -> [binary:at(<<"abc">>, I) || I <- [0, 1, 2]].
at_bad() -> [?TRY(binary:at(?ID(<<"abc">>), I)) || I <- [3, -1, a]].

first_last() ->
    {binary:first(<<"abc">>), binary:last(<<"abc">>), ?TRY(binary:first(?ID(<<>>))),
     ?TRY(binary:last(?ID(<<>>)))}.

part() ->
    {binary:part(<<"abcdef">>, 1, 3), binary:part(<<"abcdef">>, {4, -3}),
     binary_part(<<"abcdef">>, 6, 0), binary_part(<<"abcdef">>, {2, 2})}.

part_bad() ->
    [?TRY(binary:part(?ID(<<"abc">>), P, L))
     || {P, L} <- [{0, 4}, {4, 0}, {-1, 1}, {1, -2}, {a, 1}]].

copy() ->
    {binary:copy(<<"ab">>), binary:copy(<<"ab">>, 3), binary:copy(<<>>, 5),
     binary:copy(<<"x">>, 0), ?TRY(binary:copy(?ID(<<"x">>), -1))}.

match() ->
    [binary:match(<<"hello world">>, P)
     || P <- [<<"o">>, <<"wor">>, <<"z">>, [<<"ld">>, <<"ll">>], <<"hello world!">>]].

match_scope() ->
    {binary:match(<<"hello world">>, <<"o">>, [{scope, {5, 6}}]),
     binary:match(<<"abcabc">>, <<"a">>, [{scope, {6, -3}}])}.

match_bad() -> [?TRY(binary:match(?ID(<<"a">>), P)) || P <- [<<>>, [], [<<>>], a, <<1:1>>]].

matches() ->
    [binary:matches(<<"abababa">>, P)
     || P <- [<<"a">>, <<"ab">>, <<"aba">>, [<<"ab">>, <<"ba">>, <<"aba">>], <<"x">>]].

matches_longest() -> binary:matches(<<"abcde">>, [<<"bcde">>, <<"cd">>]).
matches_overlap() -> binary:matches(<<"abcde">>, [<<"bc">>, <<"bcd">>, <<"cde">>]).
matches_scope() -> binary:matches(<<"aXbXcX">>, <<"X">>, [{scope, {2, 3}}]).

compiled() ->
    P = binary:compile_pattern([<<"b">>, <<"cd">>]),
    {binary:match(<<"abcd">>, P), binary:matches(<<"abcdb">>, P), binary:split(<<"abcd">>, P)}.

split() ->
    {binary:split(<<"a,b,c">>, <<",">>), binary:split(<<"a,b,c">>, <<",">>, [global]),
     binary:split(<<"abc">>, <<"x">>), binary:split(<<",a,,b,">>, <<",">>, [global]),
     binary:split(<<",a,,b,">>, <<",">>, [global, trim]),
     binary:split(<<",a,,b,">>, <<",">>, [global, trim_all]),
     binary:split(<<>>, <<",">>, [global])}.

split_many() -> binary:split(<<"a-b+c-d">>, [<<"-">>, <<"+">>], [global]).
split_scope() -> binary:split(<<"a,b,c,d">>, <<",">>, [global, {scope, {2, 3}}]).

replace() ->
    {binary:replace(<<"abcabc">>, <<"b">>, <<"X">>),
     binary:replace(<<"abcabc">>, <<"b">>, <<"XY">>, [global]),
     binary:replace(<<"abc">>, <<"b">>, <<"[]">>, [{insert_replaced, 1}]),
     binary:replace(<<"aaa">>, <<"a">>, <<>>, [global])}.

decode_unsigned() ->
    {binary:decode_unsigned(<<1, 2, 3>>), binary:decode_unsigned(<<1, 2, 3>>, little),
     binary:decode_unsigned(<<>>), binary:decode_unsigned(<<1:128>>),
     binary:decode_unsigned(<<255:72/little>>, little)}.

encode_unsigned() ->
    [{binary:encode_unsigned(N), binary:encode_unsigned(N, little)}
     || N <- [0, 1, 255, 256, 1 bsl 63, 1 bsl 64, 1 bsl 100]].

encode_bad() -> [?TRY(binary:encode_unsigned(?ID(X))) || X <- [-1, a, 1.0]].

lists_round_trip() ->
    {binary_to_list(<<"abc">>), binary_to_list(<<"abcdef">>, 2, 4),
     binary:bin_to_list(<<"abcdef">>, 1, 3), binary:bin_to_list(<<"abc">>, {3, -2}),
     binary:list_to_bin(["a", <<"b">>]), bitstring_to_list(<<1, 2, 3:3>>)}.

lists_bad() ->
    [?TRY(binary_to_list(?ID(<<1:1>>))), ?TRY(binary_to_list(<<"abc">>, ?ID(0), 1)),
     ?TRY(binary_to_list(<<"abc">>, 2, ?ID(4))), ?TRY(bitstring_to_list(?ID(a)))].

common() ->
    {binary:longest_common_prefix([<<"abcd">>, <<"abxy">>]),
     binary:longest_common_suffix([<<"xcd">>, <<"abcd">>]),
     binary:longest_common_prefix([<<"a">>, <<"b">>]),
     binary:longest_common_prefix([<<"same">>])}.

referenced() ->
    {binary:referenced_byte_size(binary:copy(<<"x">>, 100)),
     ?TRY(binary:referenced_byte_size(?ID(<<1:1>>)))}.

split_binary() ->
    {split_binary(<<"abcd">>, 1), split_binary(<<"abcd">>, 4), split_binary(<<>>, 0),
     ?TRY(split_binary(?ID(<<"a">>), 2))}.

encode_hex() ->
    {binary:encode_hex(<<1, 171, 255>>), binary:decode_hex(<<"01aBFF">>),
     ?TRY(binary:decode_hex(?ID(<<"0">>))), ?TRY(binary:decode_hex(?ID(<<"zz">>)))}.

crc32() ->
    {erlang:crc32(<<"hello">>), erlang:crc32(["hel", <<"lo">>]), erlang:crc32(7, <<"x">>),
     erlang:crc32_combine(erlang:crc32(<<"he">>), erlang:crc32(<<"llo">>), 3)}.

adler32() ->
    {erlang:adler32(<<"hello">>), erlang:adler32(1, <<"hello">>),
     erlang:adler32_combine(erlang:adler32(<<"he">>), erlang:adler32(<<"llo">>), 3)}.

md5() -> {erlang:md5(<<>>), erlang:md5("hello"), erlang:md5(binary:copy(<<"x">>, 1000))}.

md5_incremental() ->
    C = erlang:md5_update(erlang:md5_update(erlang:md5_init(), <<"he">>), "llo"),
    erlang:md5_final(C) =:= erlang:md5(<<"hello">>).

large_split() ->
    B = iolist_to_binary(lists:join(",", [integer_to_list(I) || I <- lists:seq(1, 500)])),
    [binary_to_integer(X) || X <- binary:split(B, <<",">>, [global])] =:= lists:seq(1, 500).

large_match() ->
    B = <<(binary:copy(<<"ab">>, 5000))/binary, "needle", (binary:copy(<<"cd">>, 100))/binary>>,
    binary:match(B, <<"needle">>).

unaligned_operations() ->
    <<_:3, B:32/bits, _/bits>> = ?ID(<<5:3, "abcd", 1:5>>),
    {B, binary:at(B, 1), binary_to_list(B), binary:match(B, <<"c">>), binary:copy(B),
     <<B/binary, "e">>, erlang:md5(B) =:= erlang:md5("abcd")}.

decode_packet_line() ->
    [erlang:decode_packet(line, <<"one\ntwo">>, []), erlang:decode_packet(line, <<"none">>, [])].

decode_packet_length() ->
    [erlang:decode_packet(2, <<0, 3, "abcd">>, []), erlang:decode_packet(4, <<0, 0>>, []),
     erlang:decode_packet(1, <<1, 2>>, []), erlang:decode_packet(raw, <<"x">>, [])].

decode_packet_http() ->
    [erlang:decode_packet(http_bin, <<"GET /p HTTP/1.1\r\nHost: x\r\n\r\n">>, []),
     erlang:decode_packet(httph_bin, <<"Host: here\r\nX-Y: z\r\n\r\n">>, []),
     erlang:decode_packet(httph_bin, <<"\r\n">>, [])].

external_size() -> [erlang:external_size(T) || T <- [a, 1, {a, b}, "abc", <<"abc">>, #{a => 1}]].
