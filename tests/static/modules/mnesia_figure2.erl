%% Figure 2 of the paper, right: the reference count of snmp's time stamps.
-module(mnesia_figure2).
-export([table_func/2]).
-record(time_stamp, {key, data}).

table_func(_, _) ->
    create_time_stamp_table(),
    ok.

create_time_stamp_table() ->
    NRef =
        case mnesia:dirty_read(time_stamp, ref_count) of    %% read: a
            [] -> 1;
            [#time_stamp{data = Ref}] -> Ref + 1
        end,
    mnesia:dirty_write(#time_stamp{key = ref_count, data = NRef}).  %% write: a
