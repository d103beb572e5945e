%% Binary construction and matching as compilers before OTP 25 wrote it.
{module, t_asm_old_binary}.
{exports, [{integers, 0}, {constant_bytes, 0}, {sizes_added, 0}, {bits, 0}, {append, 0},
           {private_append, 0}, {utf, 0}, {floats, 0}, {too_large, 0}, {bad_value, 0},
           {bad_value_in_guard, 0}, {test_unit, 0}, {writable, 0}, {little_signed, 0}]}.

%% <<258:16, 7:8/little, -1:24>>
{function, integers, 0}.
{bs_init2, {f, 0}, 6, 0, 0, 0, {x, 0}}.
{bs_put_integer, {f, 0}, {integer, 16}, 1, 0, {integer, 258}}.
{bs_put_integer, {f, 0}, {integer, 8}, 1, 2, {integer, 7}}.
{bs_put_integer, {f, 0}, {integer, 3}, 8, 0, {integer, -1}}.
return.

{function, constant_bytes, 0}.
{bs_init2, {f, 0}, 5, 0, 0, 0, {x, 0}}.
{bs_put_string, 5, {string, <<"hello">>}}.
return.

%% The size of a sub-binary in a register is added up with bs_add.
{function, sizes_added, 0}.
{move, {literal, <<"abc">>}, {x, 0}}.
{gc_bif1, {f, 0}, 1, {extfunc, erlang, byte_size, 1}, {x, 0}, {x, 1}}.
{bs_add, {f, 0}, {x, 1}, {integer, 2}, 1, {x, 1}}.
{bs_init2, {f, 0}, {x, 1}, 0, 2, 0, {x, 1}}.
{bs_put_integer, {f, 0}, {integer, 8}, 1, 0, {integer, 1}}.
{bs_put_binary, {f, 0}, {atom, all}, 8, 0, {x, 0}}.
{bs_put_integer, {f, 0}, {integer, 8}, 1, 0, {integer, 2}}.
{move, {x, 1}, {x, 0}}.
return.

%% <<5:3, 1:1, 9:9>>
{function, bits, 0}.
{bs_init_bits, {f, 0}, 13, 0, 0, 0, {x, 0}}.
{bs_put_integer, {f, 0}, {integer, 3}, 1, 0, {integer, 5}}.
{bs_put_integer, {f, 0}, {integer, 1}, 1, 0, {integer, 1}}.
{bs_put_integer, {f, 0}, {integer, 9}, 1, 0, {integer, 9}}.
return.

%% Appends two bytes to a binary twice; the first result must not change.
{function, append, 0}.
{move, {literal, <<"start">>}, {x, 0}}.
{bs_append, {f, 0}, {integer, 8}, 0, 1, 8, {x, 0}, 0, {x, 1}}.
{bs_put_integer, {f, 0}, {integer, 8}, 1, 0, {integer, 33}}.
{bs_append, {f, 0}, {integer, 8}, 0, 2, 8, {x, 1}, 0, {x, 2}}.
{bs_put_integer, {f, 0}, {integer, 8}, 1, 0, {integer, 65}}.
{bs_append, {f, 0}, {integer, 8}, 0, 3, 8, {x, 1}, 0, {x, 3}}.
{bs_put_integer, {f, 0}, {integer, 8}, 1, 0, {integer, 66}}.
{test_heap, 5, 4}.
{put_tuple2, {x, 0}, {list, [{x, 0}, {x, 1}, {x, 2}, {x, 3}]}}.
return.

{function, private_append, 0}.
{move, {integer, 64}, {x, 0}}.
bs_init_writable.
{bs_private_append, {f, 0}, {integer, 8}, 8, {x, 0}, 0, {x, 0}}.
{bs_put_integer, {f, 0}, {integer, 8}, 1, 0, {integer, 120}}.
{bs_private_append, {f, 0}, {integer, 16}, 8, {x, 0}, 0, {x, 0}}.
{bs_put_integer, {f, 0}, {integer, 16}, 1, 2, {integer, 31097}}.
return.

%% <<233/utf8, 65536/utf16, 97/utf32>>
{function, utf, 0}.
{move, {integer, 233}, {x, 0}}.
{move, {integer, 65536}, {x, 1}}.
{bs_utf8_size, {f, 0}, {x, 0}, {x, 2}}.
{bs_utf16_size, {f, 0}, {x, 1}, {x, 3}}.
{bs_add, {f, 0}, {x, 2}, {x, 3}, 1, {x, 2}}.
{bs_add, {f, 0}, {x, 2}, {integer, 4}, 1, {x, 2}}.
{bs_init2, {f, 0}, {x, 2}, 0, 2, 0, {x, 2}}.
{bs_put_utf8, {f, 0}, 0, {x, 0}}.
{bs_put_utf16, {f, 0}, 0, {x, 1}}.
{bs_put_utf32, {f, 0}, 0, {integer, 97}}.
{move, {x, 2}, {x, 0}}.
return.

{function, floats, 0}.
{bs_init2, {f, 0}, 20, 0, 0, 0, {x, 0}}.
{bs_put_float, {f, 0}, {integer, 64}, 1, 0, {literal, 1.5}}.
{bs_put_float, {f, 0}, {integer, 32}, 1, 2, {literal, -2.25}}.
{bs_put_float, {f, 0}, {integer, 64}, 1, 0, {integer, 3}}.
return.

%% Sub-binary longer than what is there: badarg.
{function, too_large, 0}.
{move, {literal, <<"ab">>}, {x, 0}}.
{bs_init2, {f, 0}, 3, 0, 1, 0, {x, 1}}.
{bs_put_binary, {f, 0}, {integer, 3}, 8, 0, {x, 0}}.
{move, {x, 1}, {x, 0}}.
return.

{function, bad_value, 0}.
{move, {atom, nothing}, {x, 0}}.
{bs_init2, {f, 0}, 1, 0, 1, 0, {x, 1}}.
{bs_put_integer, {f, 0}, {integer, 8}, 1, 0, {x, 0}}.
{move, {x, 1}, {x, 0}}.
return.

{function, bad_value_in_guard, 0}.
{move, {atom, nothing}, {x, 0}}.
{bs_init2, {f, failed}, 1, 0, 1, 0, {x, 1}}.
{bs_put_integer, {f, failed}, {integer, 8}, 1, 0, {x, 0}}.
{move, {atom, built}, {x, 0}}.
return.
{label, failed}.
{move, {atom, guard_failed}, {x, 0}}.
return.

{function, test_unit, 0}.
{move, {literal, <<1, 2, 3:4>>}, {x, 0}}.
{bs_start_match3, {f, 0}, {x, 0}, 1, {x, 1}}.
{bs_test_unit, {f, not_bytes}, {x, 1}, 8}.
{move, {atom, bytes}, {x, 0}}.
return.
{label, not_bytes}.
{bs_test_unit, {f, not_nibbles}, {x, 1}, 4}.
{move, {atom, nibbles}, {x, 0}}.
return.
{label, not_nibbles}.
{move, {atom, neither}, {x, 0}}.
return.

{function, writable, 0}.
{move, {integer, 0}, {x, 0}}.
bs_init_writable.
return.

{function, little_signed, 0}.
{move, {literal, <<254, 255, 1>>}, {x, 0}}.
{bs_start_match3, {f, 0}, {x, 0}, 1, {x, 1}}.
{bs_get_integer2, {f, fail}, {x, 1}, 2, {integer, 16}, 1, 6, {x, 0}}.
{bs_get_integer2, {f, fail}, {x, 1}, 2, {integer, 4}, 1, 0, {x, 2}}.
{bs_get_tail, {x, 1}, {x, 1}, 3}.
{test_heap, 4, 3}.
{put_tuple2, {x, 0}, {list, [{x, 0}, {x, 2}, {x, 1}]}}.
return.
{label, fail}.
{move, {atom, fail}, {x, 0}}.
return.
