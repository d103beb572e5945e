%% Native functions on data, with good and bad arguments: unicode, binary, re, external terms,
%% hashes, packets, digests, files, environment.
-module(t_natives).
-export([unicode_1/0, unicode_2/0, unicode_3/0, unicode_4/0, binary_1/0, binary_2/0, binary_3/0,
         binary_4/0, conversions_1/0, conversions_2/0, conversions_3/0, conversions_4/0, re_1/0,
         re_2/0, re_3/0, hashes/0, external/0, external_back/0, http_fields/0, http_lines/0,
         framings/0, digests/0, macs/0, hash_in_pieces/0, mac_in_pieces/0, derived_key/0,
         random_sizes/0, raw_file/0, file_lines/0, file_errors/0, environment/0, zlib_whole/0,
         zlib_bad/0, zlib_pieces/0, zlib_dictionary/0, zlib_chunks/0, zlib_raw_sum/0]).
-include("t.hrl").

unicode_1() ->
    [?TRY(unicode:characters_to_binary([<<"abc">>, <<255>>, "d"])),
     ?TRY(unicode:characters_to_binary(<<"a", 255>>)),
     ?TRY(unicode:characters_to_binary([<<"a", 228>>])),
     ?TRY(unicode:characters_to_binary([<<"a", 228>>|<<"b">>])),
     ?TRY(unicode:characters_to_binary([<<16#c3>>, <<16#a5>>])),
     ?TRY(unicode:characters_to_binary([[<<16#c3>>, []], [[<<16#a5>>]], $d])),
     ?TRY(unicode:characters_to_binary([<<16#c3>>, 16#a5])),
     ?TRY(unicode:characters_to_binary([<<16#c3>>, <<>>, "x"])),
     ?TRY(unicode:characters_to_binary([[<<16#c3>>, "y"], "x"])),
     ?TRY(unicode:characters_to_list([<<16#c3>>, "x"])),
     ?TRY(unicode:characters_to_list([<<16#c3>>, <<"x">>])),
     ?TRY(unicode:characters_to_list([<<16#e2, 16#82>>, <<"x">>])),
     ?TRY(unicode:characters_to_binary([<<"aa", 16#e2>>, <<16#82>>])),
     ?TRY(unicode:characters_to_binary(["q", [<<"aa", 16#e2>>, [<<16#82>>]], []]))].

unicode_2() ->
    [?TRY(unicode:characters_to_list(["q", [<<"aa", 16#e2>>, [<<16#82>>]], []])),
     ?TRY(unicode:characters_to_binary([55296])),
     ?TRY(unicode:characters_to_binary(["abc", [-1, $x], "z"])),
     ?TRY(unicode:characters_to_binary([1 bsl 70])),
     ?TRY(unicode:characters_to_binary([1 bsl 30])), ?TRY(unicode:characters_to_binary([a])),
     ?TRY(unicode:characters_to_binary([$a, 1.0])), ?TRY(unicode:characters_to_binary(foo)),
     ?TRY(unicode:characters_to_binary(<<1:3>>)), ?TRY(unicode:characters_to_binary([<<1:3>>])),
     ?TRY(unicode:characters_to_binary([$a|$b])),
     ?TRY(unicode:characters_to_binary("åäö", latin1)),
     ?TRY(unicode:characters_to_binary([300], latin1)),
     ?TRY(unicode:characters_to_binary([$a, 300, $b], latin1))].

unicode_3() ->
    [?TRY(unicode:characters_to_binary("åäö", latin1, latin1)),
     ?TRY(unicode:characters_to_binary([$a, 16#3b1], unicode, latin1)),
     ?TRY(unicode:characters_to_list(<<"abc", 16#c3, 16#a5>>)),
     ?TRY(unicode:characters_to_list([<<"abc">>|<<"d">>])),
     ?TRY(unicode:characters_to_list([<<"abc">>, [["q", 255], <<16#ed, 16#a0, 16#80>>], "d"])),
     ?TRY(unicode:characters_to_list(<<0, 97, 0, 98>>, {utf16, big})),
     ?TRY(unicode:characters_to_binary(<<"abc">>, unicode, {utf16, little})),
     ?TRY(unicode:characters_to_binary(<<"abc">>, foo)), ?TRY(unicode:bin_is_7bit(<<"abc">>)),
     ?TRY(unicode:bin_is_7bit(abc)),
     ?TRY(unicode:characters_to_list([[[$a], <<255>>], [[$b]|<<"x">>]|<<"e">>])),
     ?TRY(unicode:characters_to_list([[[[$a], <<"x", 255>>], [[$b]|<<"x">>]]|<<"e">>])),
     ?TRY(unicode:characters_to_list([[[[$a], -1], [[$b]|<<"x">>]]|<<"e">>])),
     ?TRY(unicode:characters_to_list([[[[$a], -1|<<"z">>], [[$b]|<<"x">>]]|<<"e">>]))].

unicode_4() ->
    [?TRY(unicode:characters_to_list([[$a|<<255>>], $b])),
     ?TRY(unicode:characters_to_list([[$a|<<16#c3>>], $b])),
     ?TRY(unicode:characters_to_list([<<16#f4, 16#90, 16#80, 16#80>>])),
     ?TRY(unicode:characters_to_list([<<16#f0, 16#80, 16#80, 16#80>>])),
     ?TRY(unicode:characters_to_list([<<16#f0, 16#80>>])),
     ?TRY(unicode:characters_to_list([<<16#f4, 16#90>>])),
     ?TRY(unicode:characters_to_list([<<16#ed, 16#a0>>])),
     ?TRY(unicode:characters_to_list([<<16#e2>>])), ?TRY(unicode:characters_to_list([<<16#c0>>])),
     ?TRY(unicode:characters_to_list([<<16#e2, $a>>])),
     ?TRY(unicode:characters_to_list([<<16#e2>>, <<$a>>])),
     ?TRY(unicode:characters_to_list([<<16#e2>>, <<16#82>>, <<$a>>])),
     ?TRY(unicode:characters_to_list([<<16#e2>>, <<16#82>>, [], a])),
     ?TRY(unicode:characters_to_list([<<16#f0, 16#9f>>, [<<16#98>>], <<16#80>>, "ok"]))].

binary_1() ->
    [?TRY(binary:match(<<"abcabc">>, [<<"bc">>, <<"b">>])), ?TRY(binary:match(<<"abcabc">>, [])),
     ?TRY(binary:match(<<"abcabc">>, <<>>)), ?TRY(binary:match(<<"abcabc">>, [<<>>, <<"a">>])),
     ?TRY(binary:matches(<<"aaaa">>, <<"aa">>)),
     ?TRY(binary:matches(<<"aaaa">>, <<"aa">>, [{scope, {1, 3}}])),
     ?TRY(binary:matches(<<"aaaa">>, <<"b">>)),
     ?TRY(binary:match(<<"aaaa">>, <<"a">>, [{scope, {4, -2}}])),
     ?TRY(binary:match(<<"aaaa">>, <<"a">>, [{scope, {5, 0}}])),
     ?TRY(binary:match(<<"aaaa">>, <<"a">>, [{scope, {1, 0}}])),
     ?TRY(binary:match(<<"aaaa">>, <<"a">>, [foo])),
     ?TRY(binary:match(<<"aaaa">>, <<"a">>, [{scope, {0, 1}}, {scope, {2, 1}}])),
     ?TRY(binary:split(<<"a, b, , c, ">>, <<", ">>)),
     ?TRY(binary:split(<<"a, b, , c, ">>, <<", ">>, [global]))].

binary_2() ->
    [?TRY(binary:split(<<"a, b, , c, , ">>, <<", ">>, [global, trim])),
     ?TRY(binary:split(<<", a, b, , c, , ">>, <<", ">>, [global, trim_all])),
     ?TRY(binary:split(<<", a, b">>, <<", ">>, [trim_all])),
     ?TRY(binary:split(<<", ">>, <<", ">>, [trim_all])),
     ?TRY(binary:split(<<", ">>, <<", ">>, [trim])),
     ?TRY(binary:split(<<"a, ">>, <<", ">>, [trim])),
     ?TRY(binary:split(<<"a, , ">>, <<", ">>, [trim])),
     ?TRY(binary:split(<<"">>, <<", ">>, [trim])), ?TRY(binary:split(<<"">>, <<", ">>, [])),
     ?TRY(binary:split(<<", , ">>, <<", ">>, [global, trim])),
     ?TRY(binary:split(<<"a, b, c">>, <<", ">>, [global, {scope, {2, 2}}])),
     ?TRY(binary:split(<<"a, b, c">>, <<", ">>, [global, {scope, {2, 20}}])),
     ?TRY(binary:split(<<"abc">>, <<", ">>, [global])),
     ?TRY(binary:split(<<"a, b, c">>, [<<", ">>, <<", b">>], [global]))].

binary_3() ->
    [?TRY(binary:split(<<"a, b, c">>, <<", ">>, [foo])),
     ?TRY(binary:split(<<"a, b, c">>, <<", ">>, foo)),
     ?TRY(element(1, binary:compile_pattern(<<"a">>))),
     ?TRY(element(1, binary:compile_pattern([<<"a">>]))),
     ?TRY(element(1, binary:compile_pattern([<<"a">>, <<"b">>]))),
     ?TRY(binary:matches(<<"abcdabc">>, [<<"abcd">>, <<"bcd">>, <<"ab">>])),
     ?TRY(binary:matches(<<"abcxabc">>, [<<"abcd">>, <<"bc">>])),
     ?TRY(binary:matches(<<"xabcdex">>, [<<"bcd">>, <<"abcdef">>, <<"cde">>])),
     ?TRY(binary:match(<<1:3>>, <<"a">>)), ?TRY(binary:match(<<"a">>, <<1:3>>)),
     ?TRY(binary:match(<<"a">>, [<<"a">>|<<"b">>])), ?TRY(binary:copy(<<"a">>, -1)),
     ?TRY(binary:copy(<<"a">>, 0)), ?TRY(binary:longest_common_prefix([]))].

binary_4() ->
    [?TRY(binary:longest_common_prefix([<<"a">>, b])),
     ?TRY(binary:longest_common_suffix([<<"ab">>, <<"cb">>])), ?TRY(binary:encode_unsigned(-1)),
     ?TRY(binary:encode_unsigned(0)), ?TRY(binary:decode_unsigned(<<>>)),
     ?TRY(binary:bin_to_list(<<"abcd">>, {1, -1})), ?TRY(binary:bin_to_list(<<"abcd">>, 2, 5)),
     ?TRY(binary:list_to_bin(<<"abcd">>))].

conversions_1() ->
    [?TRY(erlang:list_to_binary(<<"abcd">>)), ?TRY(erlang:list_to_binary([<<1:3>>])),
     ?TRY(erlang:list_to_bitstring([<<1:3>>, 1, <<2:2>>])),
     ?TRY(erlang:list_to_bitstring(<<1:3>>)), ?TRY(erlang:bitstring_to_list(<<1, 2:3>>)),
     ?TRY(erlang:iolist_to_binary(<<1:3>>)), ?TRY(erlang:iolist_size(<<1:3>>)),
     ?TRY(erlang:iolist_size([<<1>>, 2|<<3>>])), ?TRY(erlang:iolist_to_iovec([<<1>>, 2|<<3>>])),
     ?TRY(erlang:iolist_to_iovec([])), ?TRY(erlang:iolist_to_iovec(<<>>)),
     ?TRY(erlang:iolist_to_iovec([<<>>, []]))].

conversions_2() ->
    [?TRY(erlang:iolist_to_iovec(<<"abc">>)), ?TRY(erlang:binary_to_list(<<"abc">>, 1, 3)),
     ?TRY(erlang:binary_to_list(<<"abc">>, 0, 3)), ?TRY(erlang:binary_to_list(<<"abc">>, 2, 1)),
     ?TRY(erlang:split_binary(<<"abc">>, 1)), ?TRY(erlang:split_binary(<<"abc">>, 4)),
     ?TRY(erlang:split_binary(<<1, 2:3>>, 1)), ?TRY(erlang:split_binary(<<1, 2:3>>, 2)),
     ?TRY([term_to_binary(X, [{minor_version, 2}]) || X <- [foo, 'å', list_to_atom([945]), 1.0]]),
     ?TRY([term_to_binary(X, [{minor_version, 0}]) || X <- [foo, 'å', list_to_atom([945]), 1.0]]),
     ?TRY(term_to_binary(lists:duplicate(100, a), [compressed])),
     ?TRY(term_to_binary(lists:duplicate(100, a), [{compressed, 9}]))].

conversions_3() ->
    [?TRY(term_to_binary(lists:duplicate(100, a), [{compressed, 0}])),
     ?TRY(term_to_binary(a, [compressed])), ?TRY(term_to_binary(a, [foo])),
     ?TRY(term_to_binary(a, [{compressed, 10}])), ?TRY(term_to_binary(a, [{minor_version, 3}])),
     ?TRY(term_to_iovec(a, [])), ?TRY(erlang:md5("abc")), ?TRY(byte_size(erlang:md5_init())),
     ?TRY(erlang:md5_final(<<1, 2>>)),
     ?TRY([erlang:crc32("abc"), erlang:crc32(0, "abc"), erlang:crc32(16#ffffffff, "abc"),
      erlang:adler32("abc"), erlang:adler32(1, "abc"), erlang:crc32_combine(1, 2, 3),
      erlang:adler32_combine(1, 2, 3)]),
     ?TRY(erlang:crc32(1 bsl 32, "abc")), ?TRY(erlang:crc32(<<1:3>>))].

conversions_4() ->
    [?TRY(erlang:phash2(a, 0)), ?TRY(erlang:phash2(a, 1 bsl 32)),
     ?TRY(erlang:phash2(a, 1 bsl 33)), ?TRY(erlang:phash(a, 1 bsl 32)),
     ?TRY(erlang:phash(a, (1 bsl 32)-1)), ?TRY(binary_to_term(<<131, 97, 1, 2, 3>>)),
     ?TRY(binary_to_term(<<131, 97, 1, 2, 3>>, [used])),
     ?TRY(binary_to_term(<<131, 97, 1, 2, 3>>, [used, safe, foo])),
     ?TRY(binary_to_term(<<131, 119, 5, "xyzzy">>, [safe])), ?TRY(binary_to_term(<<1, 2>>)),
     ?TRY(binary_to_term(term_to_binary(lists:duplicate(100, a), [compressed]), [used])),
     ?TRY(byte_size(term_to_binary(lists:duplicate(100, a), [compressed])))].

re_1() ->
    [?TRY(re:run("abcd", "(b)(x)?(c)", [])), ?TRY(re:run("abcd", "(b)(c)(x)?", [])),
     ?TRY(re:run("abcd", "(b)(c)(x)?", [{capture, all_but_first}])),
     ?TRY(re:run("abcd", "b", [{capture, all_but_first}])),
     ?TRY(re:run("12-34z", "[\\d-z]+", [])), ?TRY(re:run("1-b", "[[:digit:]-b]+", [])),
     ?TRY(re:run("a-1", "[a-\\d]+", [])), ?TRY(re:run("abidef", "ab\\idef", [])),
     ?TRY(re:run("zC", "[\\z\\C]+", [])), ?TRY(re:run("a-c", "[a\\-c]+", [])),
     ?TRY(re:run("abcd", "(?<z>b)(?<a>c)", [{capture, all_names, list}])),
     ?TRY(re:run("abcd", "(?<z>b)(?<a>c)", [{capture, [z, "a", <<"q">>, 1, 0, 7], binary}])),
     ?TRY(re:run("abcd", "(?<z>x)?(?<a>c)", [{capture, [z, "a", <<"q">>, 1, 0, 7], list}])),
     ?TRY(re:run("abcd", "(?<z>x)?(?<a>c)", [{capture, [z, "a", <<"q">>, 1, 0, 7]}])),
     ?TRY(re:run("abcd", "", [{capture, first, list}])),
     ?TRY(re:run("abcd", "x", [{capture, none}])), ?TRY(re:run("abcd", "(", [])),
     ?TRY(re:run("abcd", "(", [report_errors]))].

re_2() ->
    [?TRY(re:run("aaaaaaaaaaaaaaaaaaaaaaaa!", "(a+)*b", [report_errors, {match_limit, 100}])),
     ?TRY(re:run("aaaaaaaaaaaaaaaaaaaaaaaa!", "(a+)*b", [{match_limit, 100}])),
     ?TRY(re:run("aaaaaaaaaaaaaaaaaaaaaaaa!", "(a+)*b", [report_errors, {match_limit_recursion,
      5}])),
     ?TRY(re:run(<<255>>, "a", [unicode])), ?TRY(re:run([955], "a", [])),
     ?TRY(re:run([955], "\\w", [unicode])),
     ?TRY(re:run([955], "\\w", [unicode, ucp, {capture, all, list}])),
     ?TRY(re:run("åäö", ".", [global, {capture, all, list}])),
     ?TRY(re:run("åäö", [229], [unicode, {capture, all, binary}])),
     ?TRY(re:run("abc", "b*", [global])), ?TRY(re:split("a, b, c", ", ")),
     ?TRY(re:split("a, b, c", ", ", [{return, list}, {parts, 2}]))].

re_3() ->
    [?TRY(re:split("a1b2c", "([0-9])", [trim, group])),
     ?TRY(re:replace("abc", "b", "[&]", [{return, list}])),
     ?TRY(re:replace("abcb", "(?<x>b)", "[\\1\\g{1}]", [global, {return, binary}])),
     ?TRY(re:run("a\r\nb", "^b", [multiline, {newline, crlf}])), ?TRY(re:inspect(foo, namelist)),
     ?TRY(re:run(foo, "a")), ?TRY(re:run(<<1:3>>, "a")), ?TRY(re:compile(foo)),
     ?TRY(re:compile("a", foo)),
     ?TRY(re:run("ab", "(?<n>a)|(?<n>b)", [dupnames, {capture, [n], list}])),
     ?TRY(re:run("b", "(?<n>a)|(?<n>b)", [dupnames, {capture, [n], list}])),
     ?TRY(re:run("b", "(?<n>a)|(?<n>b)", [dupnames, {capture, all_names, list}]))].

hashes() -> [{erlang:phash2(T), erlang:phash2(T, 1 bsl 32), old_hash(T)} || T <- terms(300)].
external() ->
    [{term_to_binary(T), term_to_binary(T, [compressed]), erlang:external_size(T)}
     || T <- terms(100), not has_large_map(T)].
external_back() -> [T || T <- terms(300), binary_to_term(term_to_binary(T)) =/= T].

old_hash(T) -> apply(erlang, ?ID(phash), [T, 1 bsl 32]).

http_fields() ->
    [erlang:decode_packet(Type, list_to_binary([N, ": v\r\n\r\n"]), [])
     || Type <- [httph, httph_bin],
        N <- ["Host", "content-type", "x-custom-thing", "HOST", "foo_bar", "-a", "a--b", "ETag"]].
http_lines() ->
    [?TRY(erlang:decode_packet(Type, Line, Options))
     || Type <- [http, http_bin, httph], Options <- [[], [{packet_size, 10}], [{line_length, 5}]],
        Line <- [<<>>, <<"GET / HTTP/1.1\r\nx">>, <<"GET /">>, <<"FOO * HTTP/1.0\r\n">>,
                 <<"GET http://a.b:80/x?y HTTP/1.1\r\n">>, <<"GET https://a.b HTTP/1.1\n">>,
                 <<"CONNECT a.b:443 HTTP/1.1\r\n">>, <<"GET\r\n">>, <<"GET /\r\n">>,
                 <<"HTTP/1.1 404 Not Found\r\n">>, <<"HTTP/1.1 200\r\n">>, <<"junk\r\n">>,
                 <<"\r\n">>, <<"Host: a\r\n b\r\nX">>, <<"Host : x\r\n\r\n">>,
                 <<": x\r\n\r\n">>]].
framings() ->
    [?TRY(erlang:decode_packet(Type, Bytes, Options))
     || Type <- [raw, 1, 2, 4, asn1, sunrm, cdr, fcgi, tpkt, ssl_tls, line, 3],
        Options <- [[], [{packet_size, 3}], [{line_length, 2}], [{line_delimiter, $c}], [foo]],
        Bytes <- [<<>>, <<0, 2, 1, 2, 3>>, <<5, 1, 2>>, <<"ab\ncd">>, <<16#30, 3, 1, 2, 3, 4>>,
                  <<16#30, 16#82, 0, 2, 1, 2, 3>>, <<3, 0, 0, 6, 1, 2, 3>>, <<1:3>>,
                  <<1, 1, 0, 1, 0, 2, 1, 0, 9, 8, 7, 6>>, <<22, 3, 1, 0, 2, 1, 2, 3>>,
                  <<"GIOP", 1, 0, 0, 0, 0, 0, 0, 2, 1, 2, 3>>, <<255, 255, 255, 255, 1>>]].

digests() ->
    [crypto:hash(Type, binary:copy(<<"abc">>, N))
     || Type <- [md5, sha, sha224, sha256, sha384, sha512, sha3_224, sha3_256, sha3_512],
        N <- [0, 1, 18, 19, 21, 22, 30, 37, 42, 43, 100]].
macs() -> [crypto:mac(hmac, Type, binary:copy(<<"k">>, N), <<"data">>)
           || Type <- [md5, sha, sha256, sha512], N <- [0, 1, 64, 65, 128, 200]].
hash_in_pieces() ->
    State = crypto:hash_update(crypto:hash_init(sha256), "abc"),
    {crypto:hash_final(State), crypto:hash_final(crypto:hash_update(State, ["def", <<"x">>]))}.
mac_in_pieces() -> crypto:mac_final(crypto:mac_update(crypto:mac_init(hmac, sha, "key"), "abc")).
derived_key() -> crypto:pbkdf2_hmac(sha256, <<"password">>, <<"salt">>, 3, 70).
random_sizes() ->
    {byte_size(crypto:strong_rand_bytes(33)), byte_size(crypto:strong_rand_range(1000)),
     crypto:exor(<<"aa">>, <<"bb">>), ?TRY(crypto:exor(<<"a">>, <<"bb">>))}.

raw_file() ->
    {ok, File} = prim_file:open(code:which(lists), [read, {read_ahead, 100}]),
    [prim_file:read(File, 4), prim_file:position(File, {cur, 0}), prim_file:pread(File, 8, 4),
     prim_file:position(File, {eof, 0}), prim_file:read(File, 3),
     prim_file:position(File, {bof, -1}), prim_file:write(File, "x"), prim_file:read(File, 0),
     prim_file:close(File), prim_file:close(File), prim_file:read(File, 1)].
file_lines() ->
    {ok, File} = file:open(filename:join(filename:dirname(code:which(lists)), "stdlib.app"),
      [read]),
    [file:read_line(File), file:read_line(File), file:read(File, 20),
     file:position(File, {cur, 0}), file:close(File)].
file_errors() ->
    [prim_file:read_file("/"), prim_file:open("/", [read]), prim_file:list_dir("/no/such"),
     prim_file:read_link("/"), ?TRY(prim_file:internal_name2native([a])),
     prim_file:internal_name2native("\x{e5}"), prim_file:internal_native2name(<<255>>)].
environment() ->
    [os:getenv("FERMATA_NO_SUCH"), os:putenv("FERMATA_A", "b\x{3bb}"), os:getenv("FERMATA_A"),
     os:unsetenv("FERMATA_A"), os:getenv("FERMATA_A"), os:getenv("FERMATA_A", "default"),
     ?TRY(os:getenv("A=B")), ?TRY(os:putenv("A", [0])), ?TRY(os:getenv(a))].

%% Terms from a generator of our own, so that both sides see the same.
terms(N) -> erlang:put(state, 4711), [term(4) || _ <- lists:seq(1, N)].

random(N) ->
    State = (get(state) * 6364136223846793005 + 1442695040888963407) band 16#ffffffffffffffff,
    put(state, State),
    (State bsr 20) rem N.

term(Depth) -> term(random(case Depth of 0 -> 12; _ -> 19 end), Depth).

term(0, _) -> random(256);
term(1, _) -> random(1 bsl 30) - (1 bsl 29);
term(2, _) -> random(1 bsl 44) - (1 bsl 43);
term(3, _) -> (random(1 bsl 44) bsl random(200)) * (1 - 2 * random(2));
term(4, _) -> element(1 + random(5), {a, 'hello world', 'åäö', true, list_to_atom([955, 100])});
term(5, _) -> (random(1 bsl 40) - (1 bsl 39)) / (1 + random(1000));
term(6, _) -> [];
term(7, _) -> list_to_binary([random(256) || _ <- lists:seq(1, random(40))]);
term(8, _) -> <<(random(1 bsl 40)):(random(40))>>;
term(9, _) -> [random(300) || _ <- lists:seq(1, random(10))];
term(10, _) -> (1 bsl 59) - 2 + random(5);
term(11, _) -> -(1 bsl 59) - 2 + random(5);
term(12, Depth) -> [term(Depth - 1) || _ <- lists:seq(1, random(5))];
term(13, Depth) -> list_to_tuple([term(Depth - 1) || _ <- lists:seq(1, random(5))]);
term(14, Depth) -> maps:from_list([{term(Depth - 1), term(Depth - 1)} || _ <- "abc"]);
term(15, Depth) -> [term(Depth - 1) | term(Depth - 1)];
term(16, _) -> fun lists:map/2;
term(17, _) ->
    <<_:3, Bits/bitstring>> = <<(random(1 bsl 44)):(3 + random(40)), "hello there">>,
    Bits;
term(18, _) -> maps:from_list([{I, term(0)} || I <- lists:seq(1, random(60))]).

has_large_map(M) when is_map(M) -> map_size(M) > 32 orelse has_large_map(maps:to_list(M));
has_large_map([H | T]) -> has_large_map(H) orelse has_large_map(T);
has_large_map(T) when is_tuple(T) -> has_large_map(tuple_to_list(T));
has_large_map(_) -> false.

zlib_whole() ->
    [{zlib:zip(B), zlib:compress(B), zlib:gzip(B), zlib:unzip(zlib:zip(B)) =:= B,
      zlib:uncompress(zlib:compress(B)) =:= B, zlib:gunzip(zlib:gzip(B)) =:= B}
     || B <- [<<>>, <<"a">>, binary:copy(<<"abc">>, 100), binary:copy(<<0>>, 100000)]].
zlib_bad() ->
    [?TRY(zlib:uncompress(<<1, 2, 3>>)), ?TRY(zlib:gunzip(<<"foo">>)),
     ?TRY(zlib:unzip(<<255, 255>>)), ?TRY(zlib:uncompress(?ID(foo))),
     ?TRY(zlib:deflate(zlib:open(), "a")), ?TRY(zlib:inflateEnd(inflating())),
     ?TRY(zlib:inflateInit(inflating()))].
zlib_pieces() ->
    Z = zlib:open(),
    ok = zlib:deflateInit(Z, 9),
    Bytes = [zlib:deflate(Z, "abc"), zlib:deflate(Z, "def", sync), zlib:deflate(Z, "g", finish)],
    {zlib:deflateEnd(Z), zlib:close(Z), iolist_to_binary(Bytes), zlib:uncompress(Bytes)}.
%% The last chunk fills the buffer, so that only the call behind it sees the end.
zlib_chunks() ->
    Z = inflating(),
    ok = zlib:setBufSize(Z, 64),
    First = zlib:inflateChunk(Z, zlib:compress(binary:copy(<<"abcd">>, 32))),
    [First | [zlib:inflateChunk(Z) || _ <- lists:seq(1, 3)]].
zlib_raw_sum() ->
    [begin
         Z = zlib:open(),
         None = ?TRY(zlib:crc32(Z)),
         ok = zlib:deflateInit(Z, 9, deflated, Bits, 8, default),
         Empty = zlib:crc32(Z),
         Packed = zlib:deflate(Z, "some text", finish),
         Sum = zlib:crc32(Z),
         ok = zlib:deflateReset(Z),
         Reset = zlib:crc32(Z),
         ok = zlib:inflateInit(Back = zlib:open(), Bits),
         Text = iolist_to_binary(zlib:inflate(Back, Packed)),
         {None, Empty, Sum, Reset, Text, zlib:crc32(Back)}
     end || Bits <- [-15, 15]].
zlib_dictionary() ->
    Z = zlib:open(),
    ok = zlib:deflateInit(Z),
    Sum = zlib:deflateSetDictionary(Z, "hello"),
    Bytes = iolist_to_binary(zlib:deflate(Z, "hello hello", finish)),
    Back = inflating(),
    Asked = zlib:inflate(Back, Bytes, [{exception_on_need_dict, false}]),
    ok = zlib:inflateSetDictionary(Back, "hello"),
    {Sum, Bytes, Asked, iolist_to_binary(zlib:inflate(Back, []))}.

inflating() ->
    Z = zlib:open(),
    ok = zlib:inflateInit(Z),
    Z.
