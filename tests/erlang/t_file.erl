%% Reading files and finding code: the part of file, filelib and code that a run may use.
-module(t_file).
-export([read_file/0, read_missing/0, read_bad_name/0, read_file_info/0, folder_info/0,
         list_folder/0, list_missing/0, kinds/0, file_size/0, wildcard/0, open_read/0,
         open_raw/0, open_missing/0, consult/0, consult_missing/0, lines/0, scan_terms/0,
         format_errors/0, current_folder/0, absolute/0, which/0, which_special/0, lib_folders/0, second_name/0, loader/0, loader_path/0,
         priv_folder/0, path_is_list/0, where_is/0, object_code/0, root/0, beam_of_lists/0,
         read_link/0]).
-include("t.hrl").

beam(_) -> code:which(?MODULE).
folder(_) -> filename:dirname(beam(x)).
app(_) -> filename:join(code:lib_dir(stdlib), "ebin/stdlib.app").

read_file() -> {ok, <<Head:4/binary, _/binary>>} = file:read_file(beam(x)), Head.
read_missing() -> [file:read_file(F) || F <- ["/no/such/file", "", "/"]].
read_bad_name() -> [?TRY(file:read_file(?ID(F))) || F <- [1, {a}, [a, 1.5]]].

read_file_info() ->
    {ok, I} = file:read_file_info(beam(x)),
    {element(1, I), element(2, I) > 100, element(3, I),
     element(1, file:read_file_info("/no/such"))}.

folder_info() -> {ok, I} = file:read_file_info(folder(x)), element(3, I).
list_folder() -> {ok, L} = file:list_dir(folder(x)), lists:member("t_file.beam", L).
list_missing() -> file:list_dir("/no/such/folder").

kinds() ->
    [{filelib:is_file(F), filelib:is_regular(F), filelib:is_dir(F)}
     || F <- [beam(x), folder(x), "/no/such"]].

file_size() -> {ok, B} = file:read_file(beam(x)), filelib:file_size(beam(x)) =:= byte_size(B).

wildcard() ->
    [filename:basename(F) || F <- filelib:wildcard(filename:join(folder(x), "t_fil*.beam"))].

open_read() ->
    {ok, D} = file:open(beam(x), [read, binary]),
    R = {file:read(D, 4), file:position(D, 8), file:read(D, 4), file:pread(D, 0, 3)},
    {R, file:close(D)}.

open_raw() ->
    {ok, D} = file:open(beam(x), [read, binary, raw]),
    R = {file:read(D, 4), file:position(D, {bof, 8}), file:read(D, 4),
         file:position(D, {eof, 0}) =/= x, file:read(D, 1)},
    {R, file:close(D)}.

open_missing() -> file:open("/no/such/file", [read]).

consult() ->
    {ok, [{application, Name, Keys}]} = file:consult(app(x)),
    {Name, lists:keymember(modules, 1, Keys)}.

consult_missing() -> file:consult("/no/such/file").
lines() -> {ok, D} = file:open(app(x), [read]), L = io:get_line(D, ""), file:close(D), L.

scan_terms() ->
    {ok, D} = file:open(app(x), [read]),
    {ok, {application, Name, _}} = io:read(D, ""),
    file:close(D),
    Name.

format_errors() ->
    [file:format_error(E) || E <- [enoent, eacces, eisdir, {3, erl_parse, ["x", []]}]].

current_folder() -> {ok, D} = file:get_cwd(), is_list(D).
absolute() -> filename:pathtype(filename:absname("x")).
which() -> [filename:basename(code:which(M)) || M <- [lists, gen_server, t_file]].
%% A name without a folder is looked for where kernel and stdlib are.
loader() ->
    File = "/etc/passwd",
    Got = [case erl_prim_loader:get_file(Name) of
               {ok, Bin, Path} -> {byte_size(Bin) > 0, filename:basename(Path), Path =:= Name};
               Error -> Error
           end || Name <- [File, "lists.beam", "application.beam", "passwd", lists,
                           "/none", ?ID({a})]],
    {Got, [element(1, erl_prim_loader:F(File)) || F <- [read_file_info, read_link_info]],
     [?TRY(erl_prim_loader:F(Name)) || F <- [read_file_info, read_link_info, list_dir],
                                 Name <- ["/none", "lists.beam", ?ID({a})]]}.
loader_path() ->
    {ok, Path} = erl_prim_loader:get_path(),
    Names = [hd(string:split(filename:basename(filename:dirname(Dir)), "-")) || Dir <- Path],
    [Name || Name <- Names, lists:member(Name, ["kernel", "stdlib", "compiler", "tools"])].
second_name() -> [file:altname(Name) || Name <- ["/", "/no such", ""]].
which_special() -> [code:which(M) || M <- [no_such_module_at_all, erlang]] =/= x.
lib_folders() -> [is_list(code:lib_dir(A)) || A <- [kernel, stdlib]] ++ [code:lib_dir(no_such_app)].
priv_folder() -> filename:basename(code:priv_dir(stdlib)).
path_is_list() -> lists:all(fun is_list/1, code:get_path()).
where_is() -> filename:basename(code:where_is_file("lists.beam")).

object_code() ->
    {M, <<"FOR1", _/binary>>, F} = code:get_object_code(lists),
    {M, filename:basename(F)}.

root() -> is_list(code:root_dir()).

beam_of_lists() ->
    {ok, {M, [{exports, E}]}} = beam_lib:chunks(code:which(lists), [exports]),
    {M, lists:member({map, 2}, E)}.

read_link() -> file:read_link("/no/such/link").
