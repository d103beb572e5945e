%% Groups, set-ups, configuration and folders: every case but the lossy one passes, also under ct_run.
-module(shelf_SUITE).
-include_lib("common_test/include/ct.hrl").
-compile([export_all, nowarn_export_all]).

suite() ->
    [{timetrap, {seconds, 30}}, {require, size}, {require, colour}, {default_config, colour, red},
     {default_config, unused, 1}].

all() ->
    [alone, {group, writers}, {group, outer}, {testcase, repeated, [{repeat, 2}]}, skipped,
     without_variable, linked].

groups() ->
    [{writers, [parallel], [lossy, safe]},
     {outer, [], [{inner, [sequence], [first, second]}, {group, writers}]}].

init_per_suite(Config) ->
    ct:pal("set-up of ~ts", [?MODULE]),
    {ok, Linked} = shelf:start_link(),
    [{size, ct:get_config(size)}, {linked, Linked} | Config].

end_per_suite(_) -> ok.

init_per_group(Group, Config) -> [{groups, [Group | proplists:get_value(groups, Config, [])]} | Config].
end_per_group(_, _) -> ok.

init_per_testcase(skipped, _) -> {skip, "not today"};
init_per_testcase(_, Config) ->
    {ok, Shelf} = shelf:start(),
    [{shelf, Shelf} | Config].

end_per_testcase(_, Config) -> exit(?config(shelf, Config), kill).

alone(Config) ->
    ct:log(default, 50, "~p", [size]),
    3 = ?config(size, Config),
    {4, 5} = {ct:get_config({deep, inner}), ct:get_config(unknown, 5)},
    {red, undefined} = {ct:get_config(colour), ct:get_config(unused)},
    {ok, <<"seven\n">>} = file:read_file(filename:join(?config(data_dir, Config), "number.txt")),
    true = is_list(?config(priv_dir, Config)),
    shelf:add(?config(shelf, Config), 2),
    2 = shelf:count(?config(shelf, Config)).

lossy(Config) -> both(fun shelf:add/2, Config).

safe(Config) ->
    writers = hd(?config(groups, Config)),
    writers = proplists:get_value(name, ?config(tc_group_properties, Config)),
    both(fun shelf:put/2, Config).

both(Add, Config) ->
    Shelf = ?config(shelf, Config),
    Writers = [spawn_monitor(fun() -> Add(Shelf, 1) end) || _ <- [1, 2]],
    [receive {'DOWN', Monitor, process, _, normal} -> ok end || {_, Monitor} <- Writers],
    case shelf:count(Shelf) of
        2 -> ok;
        Count -> ct:fail("~b on the shelf", [Count])
    end,
    ok.

first(Config) -> persistent_term:put(first, shelf:count(?config(shelf, Config))).

second(Config) ->
    [inner, outer] = ?config(groups, Config),
    0 = persistent_term:get(first),
    ct:sleep(10),
    shelf:count(?config(shelf, Config)),
    {comment, "the case before has run"}.

repeated(Config) -> shelf:count(?config(shelf, Config)).

skipped(_) -> error(never).

without_variable() -> [{require, nobody_sets_this}].
without_variable(_) -> error(never).

%% The process of init_per_suite has ended, and so has the process linked to it.
linked(Config) ->
    false = is_process_alive(?config(linked, Config)),
    shelf:count(?config(shelf, Config)).
