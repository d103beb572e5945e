-module(mnesia_figure2_fixed).
-export([table_func/2]).
-record(time_stamp, {key, data}).

table_func(_, _) ->
    mnesia:transaction(
      fun() ->
              NRef =
                  case mnesia:read(time_stamp, ref_count) of
                      [] -> 1;
                      [#time_stamp{data = Ref}] -> Ref + 1
                  end,
              mnesia:write(#time_stamp{key = ref_count, data = NRef})
      end).
