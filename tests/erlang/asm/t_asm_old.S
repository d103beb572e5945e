%% Instructions of older compilers that the installed erl still takes.
{module, t_asm_old}.
{exports, [{allocate_zero, 0}, {allocate_heap_zero, 0}, {init_slots, 0}, {old_fun, 0},
           {old_fun_no_free, 0}, {float_check, 0}, {swap_registers, 0}, {marked_receive, 0},
           {set_element, 0}, {trim_frame, 0}, {select_on_arity, 0}, {apply_last, 0}, {high_registers, 0}, {map_instructions, 0}]}.

{lambda, adder, add_free, 2, 1}.
{lambda, constant, forty_two, 0, 0}.

%% Slots of an allocate_zero frame may be live before anything is stored.
{function, allocate_zero, 0}.
{allocate_zero, 2, 0}.
{move, {integer, 7}, {x, 0}}.
{call_ext, 1, {extfunc, tlib, id, 1}}.
{move, {x, 0}, {y, 0}}.
{move, {literal, [a, b]}, {x, 0}}.
{call_ext, 1, {extfunc, tlib, id, 1}}.
{move, {x, 0}, {y, 1}}.
{test_heap, 3, 0}.
{put_tuple2, {x, 0}, {list, [{y, 0}, {y, 1}]}}.
{deallocate, 2}.
return.

{function, allocate_heap_zero, 0}.
{allocate_heap_zero, 1, 2, 0}.
{put_list, {integer, 1}, nil, {x, 0}}.
{call_ext, 1, {extfunc, tlib, id, 1}}.
{move, {x, 0}, {y, 0}}.
{move, {y, 0}, {x, 0}}.
{deallocate, 1}.
return.

{function, init_slots, 0}.
{allocate, 2, 0}.
{init, {y, 0}}.
{init, {y, 1}}.
{move, {atom, before}, {x, 0}}.
{call_ext, 1, {extfunc, tlib, id, 1}}.
{move, {x, 0}, {y, 1}}.
{move, {atom, again}, {x, 0}}.
{call_ext, 1, {extfunc, tlib, id, 1}}.
{move, {y, 1}, {x, 0}}.
{deallocate, 2}.
return.

{function, old_fun, 0}.
{allocate, 0, 0}.
{move, {integer, 10}, {x, 0}}.
{make_fun2, {fun_index, adder}}.
{move, {x, 0}, {x, 1}}.
{move, {integer, 5}, {x, 0}}.
{call_fun, 1}.
{deallocate, 0}.
return.

{function, add_free, 2}.
{gc_bif2, {f, 0}, 2, {extfunc, erlang, '+', 2}, {x, 0}, {x, 1}, {x, 0}}.
return.

{function, old_fun_no_free, 0}.
{allocate, 0, 0}.
{make_fun2, {fun_index, constant}}.
{call_fun, 0}.
{deallocate, 0}.
return.

{function, forty_two, 0}.
{move, {integer, 42}, {x, 0}}.
return.

{function, float_check, 0}.
{move, {literal, 2.5}, {x, 0}}.
{fmove, {x, 0}, {fr, 0}}.
{fmove, {literal, 4.0}, {fr, 1}}.
fclearerror.
{fmul, {f, 0}, {fr, 0}, {fr, 1}, {fr, 2}}.
{fnegate, {f, 0}, {fr, 2}, {fr, 3}}.
{fcheckerror, {f, 0}}.
{test_heap, {alloc, [{words, 3}, {floats, 2}]}, 0}.
{fmove, {fr, 2}, {x, 0}}.
{fmove, {fr, 3}, {x, 1}}.
{put_tuple2, {x, 0}, {list, [{x, 0}, {x, 1}]}}.
return.

{function, swap_registers, 0}.
{move, {atom, a}, {x, 0}}.
{move, {atom, b}, {x, 1}}.
{swap, {x, 0}, {x, 1}}.
{test_heap, 3, 2}.
{put_tuple2, {x, 0}, {list, [{x, 0}, {x, 1}]}}.
return.

%% recv_mark and recv_set around a make_ref.
{function, marked_receive, 0}.
{allocate, 1, 0}.
{init_yregs, {list, [{y, 0}]}}.
{recv_mark, {f, waiting}}.
{call_ext, 0, {extfunc, erlang, make_ref, 0}}.
{move, {x, 0}, {y, 0}}.
{call_ext, 0, {extfunc, erlang, self, 0}}.
{move, {y, 0}, {x, 1}}.
send.
{recv_set, {f, waiting}}.
{label, waiting}.
{loop_rec, {f, wait}, {x, 0}}.
{is_eq_exact, {f, next}, {x, 0}, {y, 0}}.
remove_message.
{move, {atom, received}, {x, 0}}.
{deallocate, 1}.
return.
{label, next}.
{loop_rec_end, {f, waiting}}.
{label, wait}.
{wait, {f, waiting}}.

{function, set_element, 0}.
{allocate, 0, 0}.
{move, {literal, {a, b, c}}, {x, 1}}.
{move, {integer, 1}, {x, 0}}.
{move, {atom, x}, {x, 2}}.
{call_ext, 3, {extfunc, erlang, setelement, 3}}.
{set_tuple_element, {atom, z}, {x, 0}, 2}.
{deallocate, 0}.
return.

{function, trim_frame, 0}.
{allocate, 3, 0}.
{init_yregs, {list, [{y, 0}, {y, 1}, {y, 2}]}}.
{move, {atom, two}, {y, 2}}.
{move, {atom, one}, {y, 1}}.
{trim, 1, 2}.
{move, {integer, 1}, {x, 0}}.
{call_ext, 1, {extfunc, tlib, id, 1}}.
{test_heap, 3, 0}.
{put_tuple2, {x, 0}, {list, [{y, 0}, {y, 1}]}}.
{deallocate, 2}.
return.

{function, select_on_arity, 0}.
{allocate, 0, 0}.
{move, {literal, {one, two}}, {x, 0}}.
{call_ext, 1, {extfunc, tlib, id, 1}}.
{deallocate, 0}.
{is_tuple, {f, other}, {x, 0}}.
{select_tuple_arity, {x, 0}, {f, other}, {list, [1, {f, single}, 2, {f, pair}]}}.
{label, single}.
{move, {atom, single}, {x, 0}}.
return.
{label, pair}.
{get_tuple_element, {x, 0}, 1, {x, 0}}.
return.
{label, other}.
{move, {atom, other}, {x, 0}}.
return.

{function, apply_last, 0}.
{allocate, 1, 0}.
{init_yregs, {list, [{y, 0}]}}.
{move, {literal, [3, 1, 2]}, {x, 0}}.
{move, {atom, lists}, {x, 1}}.
{move, {atom, sort}, {x, 2}}.
{apply_last, 1, 1}.

{function, high_registers, 0}.
{move, {integer, 99}, {x, 1022}}.
{move, {atom, low}, {x, 0}}.
{swap, {x, 0}, {x, 1022}}.
{move, {x, 1022}, {x, 1}}.
{test_heap, 3, 2}.
{put_tuple2, {x, 0}, {list, [{x, 0}, {x, 1}]}}.
return.

{function, map_instructions, 0}.
{move, {literal, #{a => 1, b => 2}}, {x, 0}}.
{put_map_assoc, {f, 0}, {x, 0}, {x, 1}, 1, {list, [{atom, c}, {integer, 3}]}}.
{put_map_exact, {f, 0}, {x, 1}, {x, 2}, 2, {list, [{atom, a}, {integer, 10}]}}.
{has_map_fields, {f, missing}, {x, 2}, {list, [{atom, a}, {atom, c}]}}.
{get_map_elements, {f, missing}, {x, 2}, {list, [{atom, a}, {x, 0}, {atom, c}, {x, 1}]}}.
{test_heap, 4, 3}.
{put_tuple2, {x, 0}, {list, [{x, 0}, {x, 1}, {x, 2}]}}.
return.
{label, missing}.
{move, {atom, missing}, {x, 0}}.
return.
