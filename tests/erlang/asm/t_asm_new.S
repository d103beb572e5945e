%% Instructions of OTP 26 and later, which the installed erl does not know: the results are
%% written here, worked out by hand from what the instructions mean.
%% expect: update_record => {r,x,2,y}
%% expect: update_record_keeps_source => {{r,1,2},{r,1,9}}
%% expect: update_record_last => {1,2,3,four}
%% expect: match_integers => {1,515,-4}
%% expect: match_exactly => exact
%% expect: match_exactly_not => different
%% expect: match_too_short => short
%% expect: match_binary_and_tail => {<<"bc">>,<<"de">>}
%% expect: match_skip => 101
%% expect: match_equal => {matched,<<"rest">>}
%% expect: match_equal_not => other
%% expect: match_tail_unit => not_bytes
%% expect: executable_lines => passed
%% expect: debug_lines => passed
%% expect: match_bits => {5,10,<<3:3>>}
%% expect: match_little => {513,<<>>}
{module, t_asm_new}.
{exports, [{update_record, 0}, {update_record_keeps_source, 0}, {update_record_last, 0},
           {match_integers, 0}, {match_exactly, 0}, {match_exactly_not, 0}, {match_too_short, 0},
           {match_binary_and_tail, 0}, {match_skip, 0}, {match_equal, 0}, {match_equal_not, 0},
           {match_tail_unit, 0}, {executable_lines, 0}, {debug_lines, 0}, {match_bits, 0},
           {match_little, 0}]}.

{function, update_record, 0}.
{move, {literal, {r, 1, 2, 3}}, {x, 0}}.
{test_heap, 5, 1}.
{update_record, {atom, copy}, 4, {x, 0}, {x, 0}, {list, [2, {atom, x}, 4, {atom, y}]}}.
return.

{function, update_record_keeps_source, 0}.
{move, {literal, {r, 1, 2}}, {x, 0}}.
{test_heap, 7, 1}.
{update_record, {atom, reuse}, 3, {x, 0}, {x, 1}, {list, [3, {integer, 9}]}}.
{put_tuple2, {x, 0}, {list, [{x, 0}, {x, 1}]}}.
return.

{function, update_record_last, 0}.
{move, nil, {x, 0}}.
{move, {literal, {1, 2, 3, 4}}, {x, 1}}.
{move, {atom, four}, {x, 2}}.
{test_heap, 5, 3}.
{update_record, {atom, copy}, 4, {x, 1}, {x, 0}, {list, [4, {x, 2}]}}.
return.

{function, match_integers, 0}.
{move, {literal, <<1, 2, 3, 252>>}, {x, 0}}.
{bs_start_match3, {f, 0}, {x, 0}, 1, {x, 1}}.
{bs_match, {f, short_1}, {x, 1},
 {list, [{atom, ensure_at_least}, 32, 1,
         {atom, integer}, 2, nil, 8, 1, {x, 0},
         {atom, integer}, 2, nil, 16, 1, {x, 2},
         {atom, integer}, 3, {literal, [signed]}, 8, 1, {x, 3}]}}.
{test_heap, 4, 4}.
{put_tuple2, {x, 0}, {list, [{x, 0}, {x, 2}, {x, 3}]}}.
return.
{label, short_1}.
{move, {atom, short}, {x, 0}}.
return.

{function, match_exactly, 0}.
{move, {literal, <<1, 2>>}, {x, 0}}.
{bs_start_match3, {f, 0}, {x, 0}, 1, {x, 1}}.
{bs_match, {f, different_1}, {x, 1}, {list, [{atom, ensure_exactly}, 16, {atom, skip}, 16]}}.
{move, {atom, exact}, {x, 0}}.
return.
{label, different_1}.
{move, {atom, different}, {x, 0}}.
return.

{function, match_exactly_not, 0}.
{move, {literal, <<1, 2, 3>>}, {x, 0}}.
{bs_start_match3, {f, 0}, {x, 0}, 1, {x, 1}}.
{bs_match, {f, different_2}, {x, 1}, {list, [{atom, ensure_exactly}, 16, {atom, skip}, 16]}}.
{move, {atom, exact}, {x, 0}}.
return.
{label, different_2}.
{move, {atom, different}, {x, 0}}.
return.

{function, match_too_short, 0}.
{move, {literal, <<1, 2>>}, {x, 0}}.
{bs_start_match3, {f, 0}, {x, 0}, 1, {x, 1}}.
{bs_match, {f, short_2}, {x, 1},
 {list, [{atom, ensure_at_least}, 24, 1, {atom, integer}, 2, {literal, []}, 24, 1, {x, 0}]}}.
return.
{label, short_2}.
{move, {atom, short}, {x, 0}}.
return.

{function, match_binary_and_tail, 0}.
{move, {literal, <<"abcde">>}, {x, 0}}.
{bs_start_match3, {f, 0}, {x, 0}, 1, {x, 1}}.
{bs_match, {f, short_3}, {x, 1},
 {list, [{atom, ensure_at_least}, 24, 8, {atom, skip}, 8,
         {atom, binary}, 2, {literal, []}, 16, 1, {x, 0},
         {atom, get_tail}, 2, 1, {x, 2}]}}.
{test_heap, 3, 3}.
{put_tuple2, {x, 0}, {list, [{x, 0}, {x, 2}]}}.
return.
{label, short_3}.
{move, {atom, short}, {x, 0}}.
return.

{function, match_skip, 0}.
{move, {literal, <<"abcde">>}, {x, 0}}.
{bs_start_match3, {f, 0}, {x, 0}, 1, {x, 1}}.
{bs_match, {f, short_4}, {x, 1},
 {list, [{atom, ensure_at_least}, 40, 1, {atom, skip}, 32,
         {atom, integer}, 2, {literal, []}, 8, 1, {x, 0}]}}.
return.
{label, short_4}.
{move, {atom, short}, {x, 0}}.
return.

{function, match_equal, 0}.
{move, {literal, <<1, 2, "rest">>}, {x, 0}}.
{bs_start_match3, {f, 0}, {x, 0}, 1, {x, 1}}.
{bs_match, {f, other_1}, {x, 1},
 {list, [{atom, ensure_at_least}, 16, 8, {atom, '=:='}, nil, 16, {integer, 258},
         {atom, get_tail}, 2, 1, {x, 0}]}}.
{test_heap, 3, 1}.
{put_tuple2, {x, 0}, {list, [{atom, matched}, {x, 0}]}}.
return.
{label, other_1}.
{move, {atom, other}, {x, 0}}.
return.

{function, match_equal_not, 0}.
{move, {literal, <<1, 3, "rest">>}, {x, 0}}.
{bs_start_match3, {f, 0}, {x, 0}, 1, {x, 1}}.
{bs_match, {f, other_2}, {x, 1},
 {list, [{atom, ensure_at_least}, 16, 8, {atom, '=:='}, nil, 16, {integer, 258}]}}.
{move, {atom, matched}, {x, 0}}.
return.
{label, other_2}.
{move, {atom, other}, {x, 0}}.
return.

{function, match_tail_unit, 0}.
{move, {literal, <<1, 2, 3:4>>}, {x, 0}}.
{bs_start_match3, {f, 0}, {x, 0}, 1, {x, 1}}.
{bs_match, {f, not_bytes}, {x, 1}, {list, [{atom, ensure_at_least}, 8, 8, {atom, skip}, 8]}}.
{move, {atom, bytes}, {x, 0}}.
return.
{label, not_bytes}.
{move, {atom, not_bytes}, {x, 0}}.
return.

{function, executable_lines, 0}.
{executable_line, 1, 1}.
{move, {atom, passed}, {x, 0}}.
{executable_line, 2, 2}.
return.

{function, debug_lines, 0}.
{move, {atom, passed}, {x, 0}}.
{debug_line, {atom, entry}, 1, 1, 1}.
return.

{function, match_bits, 0}.
{move, {literal, <<5:3, 10:5, 3:3>>}, {x, 0}}.
{bs_start_match3, {f, 0}, {x, 0}, 1, {x, 1}}.
{bs_match, {f, short_5}, {x, 1},
 {list, [{atom, ensure_at_least}, 8, 1,
         {atom, integer}, 2, nil, 3, 1, {x, 0},
         {atom, integer}, 2, nil, 5, 1, {x, 2},
         {atom, get_tail}, 3, 1, {x, 3}]}}.
{test_heap, 4, 4}.
{put_tuple2, {x, 0}, {list, [{x, 0}, {x, 2}, {x, 3}]}}.
return.
{label, short_5}.
{move, {atom, short}, {x, 0}}.
return.

{function, match_little, 0}.
{move, {literal, <<1, 2>>}, {x, 0}}.
{bs_start_match3, {f, 0}, {x, 0}, 1, {x, 1}}.
{bs_match, {f, short_6}, {x, 1},
 {list, [{atom, ensure_exactly}, 16, {atom, integer}, 2, {literal, [little]}, 16, 1, {x, 0},
         {atom, get_tail}, 2, 1, {x, 2}]}}.
{test_heap, 3, 3}.
{put_tuple2, {x, 0}, {list, [{x, 0}, {x, 2}]}}.
return.
{label, short_6}.
{move, {atom, short}, {x, 0}}.
return.
