%% Parts of a node around a program: loading and compiling code, and system processes that are
%% started when a program first looks for one of them. A compilation has too many schedules to go
%% through all of them.
%%
%% expect: compile_and_load --strategy dpor --max-runs 20 --allow-io => no-bug-found
%% expect: path_for_all --strategy dpor --max-runs 20 --allow-io => no-bug-found
%% expect: load_abs --strategy dpor --max-runs 20 --allow-io => no-bug-found
%% expect: new_version --strategy dpor --max-runs 20 --allow-io => no-bug-found
%% expect: names --strategy dpor => proved
%% expect: requests --strategy dpor => proved
%% expect: calls --strategy dpor => proved
%% expect: two_callers --strategy dpor => proved
%% expect: two_callers --strategy dpor --system => proved
-module(node).
-export([compile_and_load/0, path_for_all/0, load_abs/0, new_version/0, names/0, requests/0,
         calls/0, two_callers/0]).

%% Calls the function with a folder that has small.erl in it, then removes the folder. Its name is
%% the same in every run.
in_folder(Name, Function) ->
    Folder = filename:join(os:getenv("TMPDIR", "/tmp"), "fermata_node_" ++ Name),
    _ = file:make_dir(Folder),
    try
        write(Folder, "1"),
        Function(Folder)
    after
        file:del_dir_r(Folder)
    end.

write(Folder, Value) ->
    Source = ["-module(small).\n-export([value/0]).\nvalue() -> ", Value, ".\n"],
    ok = file:write_file(filename:join(Folder, "small.erl"), Source).

compile(Folder) ->
    {ok, small} = compile:file(filename:join(Folder, "small"), [{outdir, Folder}]).

value() -> (list_to_atom("small")):value().

compile_and_load() ->
    in_folder("compile_and_load", fun(Folder) ->
                      {ok, small} = c:c(filename:join(Folder, "small"), [{outdir, Folder}]),
                      1 = value(),
                      {file, _} = code:is_loaded(small)
              end).

%% What one process adds to the path, others find.
path_for_all() ->
    in_folder("path_for_all", fun(Folder) ->
                      compile(Folder),
                      true = code:add_path(Folder),
                      Self = self(),
                      spawn_link(fun() -> Self ! {value, value()} end),
                      receive {value, 1} -> ok end,
                      true = lists:member(Folder, code:get_path()),
                      true = code:del_path(Folder),
                      false = lists:member(Folder, code:get_path())
              end).

load_abs() ->
    in_folder("load_abs", fun(Folder) ->
                      compile(Folder),
                      File = filename:join(Folder, "small"),
                      {module, small} = code:load_abs(File),
                      1 = value(),
                      File = filename:rootname(code:which(small)),
                      {error, nofile} = code:load_abs(filename:join(Folder, "other"))
              end).

new_version() ->
    in_folder("new_version", fun(Folder) ->
                      {ok, small} = c:c(filename:join(Folder, "small"), [{outdir, Folder}]),
                      1 = value(),
                      write(Folder, "2"),
                      {ok, small} = c:c(filename:join(Folder, "small"), [{outdir, Folder}]),
                      2 = value()
              end).

names() ->
    Names = [init, rex, code_server, erl_signal_server, kernel_sup, kernel_refc, logger,
             global_group, application_controller],
    [] = [Name || Name <- Names, not is_pid(whereis(Name))].

requests() ->
    init ! {self(), script_id},
    receive {init, {_, _}} -> ok end,
    code_server ! {code_call, self(), get_mode},
    receive {code_server, interactive} -> ok end,
    Path = code:get_path(),
    true = code:set_path(Path),
    Ref = monitor(process, code_server),
    true = demonitor(Ref).

calls() ->
    [erl_signal_handler] = gen_event:which_handlers(erl_signal_server),
    [2, 1] = rpc:call(node(), lists, reverse, [[1, 2]]),
    {badrpc, _} = rpc:call(node(), lists, reverse, [x]),
    3 = erpc:call(node(), erlang, '+', [1, 2]),
    node_name = gen_server:call(rex, {call, erlang, list_to_atom, ["node_name"], group_leader()}),
    ok = error_logger:error_msg("~p", [hidden]).

two_callers() ->
    Self = self(),
    [spawn_link(fun() -> Self ! {N, rpc:call(node(), erlang, abs, [N])} end) || N <- [-1, -2]],
    [1, 2] = [receive {N, Value} -> Value end || N <- [-1, -2]].
