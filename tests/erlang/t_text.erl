%% Text: string, unicode, re, io_lib, base64, uri_string, calendar.
-module(t_text).
-export([string_basic/0, string_split/0, string_find/0, string_replace/0, string_pad/0,
         string_slice/0, string_graphemes/0, string_take/0, string_numbers/0, string_compare/0,
         unicode_to_binary/0, unicode_to_list/0, unicode_bad/0, unicode_normalize/0,
         unicode_bom/0, re_run/0, re_capture/0, re_global/0, re_options/0, re_unicode/0,
         re_replace/0, re_split/0, re_compile/0, re_advanced/0, re_bad/0, format_integers/0,
         format_base/0, format_strings/0, format_terms/0, format_tw/0, format_controls/0,
         format_width/0, format_bad/0, format_maps/0, format_records_like/0, format_nested/0,
         format_binary_strings/0, io_lib_misc/0, fread/0, scan_format/0, limited_chars/0,
         base64/0, uris/0, calendars/0, rfc3339/0, filenames/0, lists_of_text/0, io_output/0,
         io_requests/0, error_device/0, io_bad/0, io_from_child/0, argument_parsing/0, string_tokens_unicode/0,
         format_of_format/0]).
-include("t.hrl").

format(F, A) -> ?TRY(lists:flatten(io_lib:format(F, A))).

string_basic() ->
    {string:length("aé日"), string:to_upper("abc"), string:uppercase("straße"),
     string:lowercase("ÀÉ"), string:titlecase("hello world"), string:casefold("ẞ"),
     string:reverse("abc"), string:trim("  x "), string:trim("xxaxx", both, "x"),
     string:trim("..a..", trailing, "."), string:is_empty(""), string:equal("a", <<"a">>)}.

string_split() ->
    {string:split("a,b,c", ","), string:split("a,b,c", ",", all),
     string:split("a,b,c", ",", trailing), string:lexemes("a b  c", " "),
     string:tokens("a,b;c", ",;"), string:split(<<"x=y">>, "="),
     string:nth_lexeme("a b c", 2, " ")}.

string_find() ->
    {string:find("hello world", "o"), string:find("hello", "z"),
     string:find("a.b.c", ".", trailing), string:str("hello", "l"), string:rstr("hello", "l"),
     string:chr("hello", $l), string:rchr("hello", $l), string:prefix("hello", "he"),
     string:prefix("hello", "x"), string:span("aabc", "a"), string:cspan("xyza", "a")}.

string_replace() ->
    {string:replace("aXbX", "X", "-"), lists:flatten(string:replace("aXbX", "X", "-", all)),
     unicode:characters_to_binary(string:replace(<<"aXb">>, "X", "é"))}.

string_pad() ->
    [lists:flatten(S) || S <- [string:pad("x", 3), string:pad("x", 3, leading, $0),
                               string:pad("x", 4, both), string:left("abc", 5, $.),
                               string:right("abc", 5), string:centre("ab", 6, $*)]].

string_slice() ->
    {string:slice("hello", 1, 3), string:slice(<<"héllo"/utf8>>, 1, 2),
     string:substr("hello", 2, 3), string:sub_string("hello", 2, 4), string:slice("abc", 1),
     string:copies("ab", 3), string:chars($x, 3), string:words("a b c"), string:strip(" a "),
     string:join(["a", "b"], ", "), string:concat("a", "b")}.

string_graphemes() ->
    {string:to_graphemes("e\x{301}a"), string:length("e\x{301}"),
     string:next_grapheme("e\x{301}x"), string:next_codepoint("ab"), string:reverse("e\x{301}a"),
     string:to_graphemes("\r\n"), string:length([16#1F1E9, 16#1F1EA])}.

string_take() ->
    {string:take("abc123", lists:seq($a, $z)), string:take("abc123", lists:seq($0, $9), true),
     string:take("abc1", "c1", false, trailing)}.

string_numbers() ->
    {string:to_integer("42rest"), string:to_integer("-x"), string:to_float("1.5e2x"),
     string:to_float("3"), list_to_integer("7")}.

string_compare() -> [string:equal("ABC", "abc", true), string:equal("e\x{301}", [233], false, nfc)].

unicode_to_binary() ->
    [unicode:characters_to_binary(X)
     || X <- ["abc", [233], [26085, "x", <<"é"/utf8>>], <<"bin">>, [], [55296], [-1] | []]] ++ [
        unicode:characters_to_binary(<<233>>, latin1),
        unicode:characters_to_binary("aé", unicode, utf16),
        unicode:characters_to_binary("aé", utf8, {utf32, little}),
        unicode:characters_to_binary("é", unicode, latin1),
        unicode:characters_to_binary([26085], unicode, latin1)].

unicode_to_list() ->
    [unicode:characters_to_list(X) || X <- [<<"aé日"/utf8>>, [<<"x">>, $y], <<195>>, <<195, 40>>,
      <<255>>, <<"abc", 240, 159>>]] ++ [unicode:characters_to_list(<<233>>, latin1),
    unicode:characters_to_list(<<0, 65>>, utf16), unicode:characters_to_list(<<65, 0, 0, 0>>,
      {utf32, little})].

unicode_bad() -> [?TRY(unicode:characters_to_list(?ID(X))) || X <- [a, [a], 1, [1.0]]].

unicode_normalize() ->
    {unicode:characters_to_nfc_list([101, 769]), unicode:characters_to_nfd_list([233]),
     unicode:characters_to_nfkc_list([64257]), unicode:characters_to_nfd_binary(<<"é"/utf8>>)}.

unicode_bom() ->
    {unicode:bom_to_encoding(<<239, 187, 191, "x">>), unicode:bom_to_encoding(<<254, 255>>),
     unicode:encoding_to_bom(utf8), unicode:bin_is_7bit(<<"abc">>), unicode:bin_is_7bit(<<200>>)}.

re_run() -> [re:run("hello world", P) || P <- ["o", "(h)(e)", "z", "^w", "world$", "l+", "(x)?h"]].

re_capture() ->
    {re:run("abc123", "([a-z]+)([0-9]+)", [{capture, all, list}]),
     re:run("abc123", "([a-z]+)([0-9]+)", [{capture, [2], binary}]),
     re:run("abc123", "(?<l>[a-z]+)", [{capture, [l], list}]),
     re:run("abc", "b", [{capture, none}]), re:run("abc", "(b)", [{capture, first, index}]),
     re:run("abc", "(b)(x)?", [{capture, all_but_first, list}]),
     re:run("ab", "(?<z>a)(?<y>b)", [{capture, all_names, list}])}.

re_global() ->
    {re:run("a1b2c3", "[0-9]", [global, {capture, all, list}]), re:run("aaa", "a*", [global]),
     re:run("abc", "", [global, {capture, first, index}])}.

re_options() ->
    {re:run("ABC", "abc", [caseless, {capture, all, list}]), re:run("a\nb", "^b", [multiline]),
     re:run("a\nb", "a.b", [dotall]), re:run("aXb", "a x b", [extended, caseless]),
     re:run("abcabc", "abc", [{offset, 1}]), re:run("xabc", "abc", [anchored]),
     re:run("aaa", "a+", [ungreedy, {capture, all, list}]),
     re:run("a\r\nb", "a$", [multiline, {newline, crlf}])}.

re_unicode() ->
    {re:run("aé日", "[^a]", [unicode, {capture, all, list}]),
     re:run(<<"é"/utf8>>, "\\w", [unicode, ucp]), re:run([233], "é", [{capture, all, binary}])}.

re_replace() ->
    {re:replace("abc", "b", "X", [{return, list}]),
     re:replace("aaa", "a", "[&]", [global, {return, binary}]),
     re:replace("ab", "(a)(b)", "\\2\\1", [{return, list}]),
     re:replace("abc", "z", "y", [{return, list}]),
     re:replace("a.b", "\\.", "\\\\&", [{return, list}])}.

re_split() ->
    {re:split("a,b,c", ","), re:split("a1b22c", "[0-9]+", [{return, list}]),
     re:split("a,b,c", ",", [{parts, 2}, {return, list}]),
     re:split("a-b", "(-)", [{return, list}]), re:split("abc", "", [{return, list}]),
     re:split("a,,", ",", [trim, {return, list}]),
     re:split("a1b", "(?<d>[0-9])", [group, {return, list}])}.

re_compile() ->
    {ok, P} = re:compile("(a|b)+c", [caseless]),
    {re:run("xABC", P, [{capture, all, list}]), element(1, P), re:compile("(a"),
     re:compile("[z-a]"), re:inspect(P, namelist)}.

re_advanced() ->
    [re:run(S, P, [{capture, all, list}]) || {S, P} <- [{"foobar", "foo(?=bar)"},
                                                        {"foobaz", "foo(?!bar)"},
                                                        {"xbar", "(?<=x)bar"},
                                                        {"abab", "(ab)\\1"}, {"aXb", "a\\Kx?X"},
                                                        {"((()))", "\\((?:[^()]|(?R))*\\)"},
                                                        {"2024-01-31",
                                                         "^(\\d{4})-(\\d\\d)-(\\d\\d)$"},
                                                        {"a.b@c.de", "[\\w.]+@[\\w.]+"}]].

re_bad() ->
    [?TRY(re:run("a", ?ID("("))), ?TRY(re:run(?ID(a), "x")),
     ?TRY(re:run("a", "a", ?ID([nosuch]))), ?TRY(re:run("a", "a", ?ID(x)))].

format_integers() ->
    [format(F, [X]) || F <- ["~w", "~p", "~b", "~B", "~5w", "~-5w|", "~5..0b", "~.16b", "~.16B",
                             "~16r" | []] -- ["~16r"], X <- [0, 42, -255]].

format_base() ->
    [format("~.2b ~.36B ~.16# ~.8+ ~X ~x", [5, 1295, 255, 8, 31, "0x", 31, "0x"]),
     format("~.16X", [-31, "0x"])].

format_strings() ->
    [format("~s|~10s|~-10s|~.3s|~10.3s|~s", ["abc", "abc", "abc", "abcdef", "abcdef", <<"bin">>]),
     format("~ts", [[26085]]), format("~s", [[256]]), format("~ts ~ts", [<<"é"/utf8>>, "é"]),
     format("~s", [atom]), format("~s", [[1, [2], <<"x">>]])].

format_terms() ->
    [format("~w ~p", [T, T]) || T <- [a, 'A b', "str", [1, 2], {a, "b"}, <<"bin">>, <<1, 2>>,
                                      #{a => 1}, [], {}, 1.5, "é", [256], '日', <<"é"/utf8>>,
                                      "\n\t\"", '\'', <<1:3>>, [a | b], -0.0]].

format_tw() -> [format("~tw ~tp", [T, T]) || T <- ['日', [26085], <<"日"/utf8>>, "é", #{'é' => "日"}]].

format_controls() ->
    [format("~~ ~c ~3c ~n ~i~a", [$x, $y, skipped, atom]), format("~tc", [26085]),
     format("~*c", [3, $z]), format("~p ~P ~W", ["abc", [1, 2, 3, 4, 5, 6], 3, {a, b, c, d}, 3])].

format_width() ->
    [format("~20p|", [{a, b}]), format("~40p", [lists:seq(1, 30)]),
      format("~10p", [{aaaaaaa, bbbbbbb}]), format("~0p", [lists:seq(1, 60)]),
    format("~p", [lists:seq(1, 60)]), format("~.2p", [[aaaa, bbbb]]),
    format("~80.10p", ["string that is quite long indeed, longer than the line it is on, "
                        "so it is broken up somewhere"])].

format_bad() ->
    [format(F, A) || {F, A} <- [{"~w", []}, {"~w", [a, b]}, {"~q", [a]}, {"~d", [1]}, {"~s", [1]},
                                {"~c", [a]}, {"~b", [a]}, {"~e", [1]}, {a, []}, {"~w", a},
                                {"~", []}]].

format_maps() ->
    [format("~p ~w", [M, M]) || M <- [#{}, #{b => 1, a => 2}, #{1 => #{2 => 3}}, #{"k" => [v]}]].

format_records_like() ->
    format("~p", [{state, [], #{pending => queue:new()}, <<0:80>>, fun lists:map/2}]).

format_nested() ->
    format("~p", [{[{deep, [{deeper, [{deepest, lists:duplicate(5, "some text here")}]}]}],
                   [#{key => {value, lists:seq(100, 130)}}]}]).

format_binary_strings() ->
    [format("~p", [B]) || B <- [<<"abc">>, <<"a\nb">>, <<0>>, <<"é">>, <<200, 201>>,
                                <<"very long ", (binary:copy(<<"x">>, 100))/binary>>]].

io_lib_misc() ->
    {io_lib:print(a), lists:flatten(io_lib:write({a, [b]})), io_lib:write_string("a\"b"),
     io_lib:write_atom('A'), io_lib:printable_list("abc"), io_lib:printable_list([1]),
     io_lib:printable_unicode_list([26085]), io_lib:char_list("a"),
     io_lib:deep_char_list(["a", ["b"]]), io_lib:latin1_char_list([255]), io_lib:nl(),
     lists:flatten(io_lib:write([1, 2, 3, 4], 3)), lists:flatten(io_lib:write_char($a)),
     io_lib:write_latin1_string([233]), lists:flatten(io_lib:write("abc", [{depth, 2}])),
     io_lib:indentation("abc\nde", 0)}.

fread() ->
    [?TRY(io_lib:fread(F, S)) || {F, S} <- [{"~d", "42 rest"}, {"~d ~d", "1 2"},
                                            {"~s ~a", "str atom"}, {"~f", "1.5"}, {"~d", "x"},
                                            {"~16u", "ff"}, {"~c", "z"}, {"a~db", "a5b"},
                                            {"~d", ""}, {"~2s", "abc"}, {"~*d~d", "1 2"}]].

scan_format() -> io_lib:scan_format("~10.3.xp and ~ts~n", [a, b]).
limited_chars() -> io_lib:format("~p", [lists:seq(1, 100)], [{chars_limit, 30}]).

base64() ->
    {base64:encode(<<"hello">>), base64:encode_to_string("hi"), base64:decode(<<"aGVsbG8=">>),
     base64:decode("aGk="), base64:mime_decode("aG V\nsbG8="), ?TRY(base64:decode(<<"!!!!">>)),
     [base64:encode(binary:copy(<<255>>, N)) || N <- [0, 1, 2, 3, 4]]}.

uris() ->
    {uri_string:parse("http://user@host:8080/p/a?q=1#frag"),
     uri_string:recompose(#{scheme => "https", host => "h", path => "/x"}),
     uri_string:normalize("HTTP://a/b/../c"),
     uri_string:compose_query([{"a", "1 2"}, {"b", "é"}]), uri_string:dissect_query("a=1&b=%20x"),
     uri_string:resolve("../x", "http://h/a/b/c"), uri_string:parse("bad uri"),
     uri_string:percent_decode(<<"%41b">>), uri_string:quote("a/b c")}.

calendars() ->
    {calendar:day_of_the_week(2024, 2, 29), calendar:is_leap_year(2000),
     calendar:last_day_of_the_month(2023, 2), calendar:date_to_gregorian_days(1970, 1, 1),
     calendar:gregorian_days_to_date(738000),
     calendar:datetime_to_gregorian_seconds({{2024, 1, 1}, {0, 0, 0}}),
     calendar:gregorian_seconds_to_datetime(63871200000), calendar:seconds_to_daystime(100000),
     calendar:seconds_to_time(3661),
     calendar:time_difference({{2024, 1, 1}, {0, 0, 0}}, {{2024, 1, 2}, {1, 2, 3}}),
     calendar:valid_date(2023, 2, 29), calendar:iso_week_number({2024, 12, 30}),
     calendar:time_to_seconds({1, 2, 3})}.

rfc3339() ->
    {calendar:rfc3339_to_system_time("2024-05-06T07:08:09Z"),
     calendar:rfc3339_to_system_time("2024-05-06T07:08:09.123+02:00", [{unit, millisecond}]),
     calendar:system_time_to_rfc3339(1700000000, [{offset, "Z"}]),
     calendar:system_time_to_universal_time(1700000000, second),
     erlang:universaltime_to_posixtime({{2000, 1, 1}, {0, 0, 0}}),
     erlang:posixtime_to_universaltime(86400)}.

filenames() ->
    {filename:join("a", "b"), filename:join(["/a", "b", "/c"]),
     filename:basename("/a/b.erl", ".erl"), filename:dirname("/a/b/c"),
     filename:extension("x.tar.gz"), filename:rootname("a.b"), filename:split("/a/b"),
     filename:absname("x", "/y"), filename:pathtype("/a"), filename:flatten(["a", b]),
     filename:join(<<"a">>, "b")}.

lists_of_text() ->
    {lists:flatten(["a", [$b], "c"]), iolist_to_binary([["x" | <<"y">>]]),
     unicode:characters_to_list([$a, [<<"b">>]])}.

io_output() ->
    io:format("hello ~p~n", [world]),
    io:put_chars("chars\n"),
    io:nl(),
    io:write({a, "b"}),
    io:format("~ts~n", [[233, 26085]]),
    io:fwrite("~w", [x]),
    ok.

error_device() ->
    Device = standard_error,
    Encode = fun(Options) -> {io:setopts(Device, Options), io:getopts(Device)} end,
    [Encode(Options)
     || Options <- [[{encoding, unicode}], [{encoding, latin1}, {encoding, utf8}], [],
                    [{encoding, latin1}], [{encoding, x}], [binary], [{encoding, utf8}]]] ++
        [io:columns(Device), io:request(Device, unknown), io:request(Device, setopts),
         io:get_line(Device, "")].

io_requests() -> {io:getopts() =/= error, io:columns(), io:rows()}.
io_bad() -> [?TRY(io:format("~w", [])), ?TRY(io:format("~s", [1])), ?TRY(io:put_chars(?ID(a)))].

io_from_child() ->
    S = self(),
    spawn(fun() -> io:format("child~n"), S ! done end),
    receive done -> io:format("parent~n") end.

argument_parsing() -> [list_to_tuple(string:tokens(S, "=")) || S <- ["a=1", "b=2"]].
string_tokens_unicode() -> string:lexemes([233, $,, 26085, $,, $x], ",").
format_of_format() -> lists:flatten(io_lib:format("~s", [io_lib:format("~p", ["nested ~p"])])).
