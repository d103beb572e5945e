%% Files that are written (ours: with --allow-io). Each test makes a folder of its own and removes
%% it.
-module(t_write).
-export([write_and_read/0, append/0, exclusive/0, raw_positions/0, truncate/0, rename_delete/0,
         folders/0, links/0, modes_and_times/0, consult/0, errors/0, delayed/0, ensure_dir/0,
         current_folder/0]).

in_folder(Name, F) ->
    Dir = filename:join(os:getenv("TMPDIR", "/tmp"), "fermata-t-write-" ++ atom_to_list(Name)),
    _ = file:del_dir_r(Dir),
    ok = file:make_dir(Dir),
    try F(Dir) after ok = file:del_dir_r(Dir) end.

write_and_read() ->
    in_folder(?FUNCTION_NAME, fun(D) ->
        F = filename:join(D, "a.txt"),
        {file:write_file(F, ["one", <<" two">>, $\n]), file:read_file(F),
         file:write_file(F, "short"), file:read_file(F), filelib:file_size(F)}
    end).

append() ->
    in_folder(?FUNCTION_NAME, fun(D) ->
        F = filename:join(D, "a"),
        [file:write_file(F, [C, C], [append]) || C <- "abc"] ++ [file:read_file(F)]
    end).

exclusive() ->
    in_folder(?FUNCTION_NAME, fun(D) ->
        F = filename:join(D, "a"),
        {file:write_file(F, "x", [exclusive]), file:write_file(F, "y", [exclusive]),
         file:read_file(F)}
    end).

raw_positions() ->
    in_folder(?FUNCTION_NAME, fun(D) ->
        {ok, H} = file:open(filename:join(D, "a"), [raw, binary, read, write]),
        R = [file:write(H, "0123456789"), file:position(H, 2), file:write(H, "ab"),
             file:position(H, cur), file:pwrite(H, 8, "z"), file:pread(H, 0, 20), file:read(H, 3),
             file:position(H, eof),
             file:pwrite(H, [{0, "P"}, {5, <<"Q">>}]), file:pread(H, [{0, 1}, {4, 3}]),
             file:sync(H)],
        ok = file:close(H),
        R
    end).

truncate() ->
    in_folder(?FUNCTION_NAME, fun(D) ->
        F = filename:join(D, "a"),
        ok = file:write_file(F, "0123456789"),
        {ok, H} = file:open(F, [raw, read, write]),
        {ok, 4} = file:position(H, 4),
        R = file:truncate(H),
        ok = file:close(H),
        {R, file:read_file(F)}
    end).

rename_delete() ->
    in_folder(?FUNCTION_NAME, fun(D) ->
        [A, B] = [filename:join(D, X) || X <- ["a", "b"]],
        ok = file:write_file(A, "x"),
        {file:rename(A, B), file:read_file(A), file:read_file(B), file:copy(B, A), file:delete(B),
         file:delete(B), file:list_dir(D)}
    end).

folders() ->
    in_folder(?FUNCTION_NAME, fun(D) ->
        S = filename:join(D, "sub"),
        {file:make_dir(S), file:make_dir(S), file:write_file(filename:join(S, "f"), ""),
         file:del_dir(S), file:delete(filename:join(S, "f")), file:del_dir(S), file:del_dir(S)}
    end).

links() ->
    in_folder(?FUNCTION_NAME, fun(D) ->
        [A, B, C] = [filename:join(D, X) || X <- ["a", "b", "c"]],
        ok = file:write_file(A, "x"),
        {file:make_link(A, B), file:make_symlink("a", C), file:read_link(C), file:read_file(B),
         file:read_file(C), file:make_link(A, B)}
    end).

modes_and_times() ->
    in_folder(?FUNCTION_NAME, fun(D) ->
        A = filename:join(D, "a"),
        ok = file:write_file(A, "x"),
        {file:change_mode(A, 8#600), file:change_time(A, {{2020, 1, 2}, {3, 4, 5}}),
         element(6, element(2, file:read_file_info(A, [{time, universal}])))}
    end).

consult() ->
    in_folder(?FUNCTION_NAME, fun(D) ->
        A = filename:join(D, "a"),
        ok = file:write_file(A, io_lib:format("~p.~n~p.~n", [{a, [1]}, #{k => v}])),
        file:consult(A)
    end).

errors() ->
    in_folder(?FUNCTION_NAME, fun(D) ->
        {file:write_file(D, "x"), file:write_file(filename:join([D, "no", "such"]), "x"),
         file:open(filename:join(D, "none"), [read]),
         file:make_dir(filename:join([D, "no", "such"])),
         file:rename(filename:join(D, "none"), filename:join(D, "other"))}
    end).

delayed() ->
    in_folder(?FUNCTION_NAME, fun(D) ->
        F = filename:join(D, "a"),
        {ok, H} = file:open(F, [write]),
        ok = io:format(H, "~w ~s~n", [{a}, "text"]),
        ok = file:write(H, "more"),
        ok = file:close(H),
        file:read_file(F)
    end).

ensure_dir() ->
    in_folder(?FUNCTION_NAME, fun(D) ->
        {filelib:ensure_dir(filename:join([D, "x", "y", "z"])),
         filelib:is_dir(filename:join([D, "x", "y"])), filelib:wildcard("**", D)}
    end).

%% The current folder cannot be removed while it has files, nor by its relative name.
current_folder() ->
    in_folder(?FUNCTION_NAME, fun(D) ->
        {ok, Before} = file:get_cwd(),
        Inner = filename:join(D, "inner"),
        ok = filelib:ensure_path(filename:join(Inner, "file")),
        ok = file:set_cwd(Inner),
        R = [file:del_dir(Name) || Name <- [Inner, ".", D, "..", Inner ++ "/../inner", "none"]],
        ok = file:set_cwd(Before),
        R
    end).
