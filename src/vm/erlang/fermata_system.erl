%% Processes of a node whose work the machine does itself. They are started when a program first
%% looks for one of their names (src/vm/process/boot.h), belong to the system, and answer requests of
%% OTP's own modules. A request that is not known here ends the run as not supported.
-module(fermata_system).
-export([start/1, start_signals/0, start_purger/0, serve/2, read_file_info/1, read_link_info/1,
         get_modules/2, get_modules/3]).

%% Name: code_server or init.
start(Name) ->
    Parent = self(),
    Pid = spawn(?MODULE, serve, [Name, Parent]),
    receive {Pid, started} -> {ok, Pid} end.

start_signals() ->
    {ok, _} = gen_event:start_link({local, erl_signal_server}),
    ok = gen_event:add_handler(erl_signal_server, erl_signal_handler, []).

start_purger() ->
    Pid = spawn(erts_code_purger, start, []),
    wait_for_name(Pid, erts_code_purger).

wait_for_name(Pid, Name) ->
    case whereis(Name) of
        Pid -> ok;
        undefined -> erlang:yield(), wait_for_name(Pid, Name)
    end.

serve(Name, Parent) ->
    register(Name, self()),
    Parent ! {self(), started},
    serve(Name).

serve(code_server) ->
    receive
        {code_call, From, Request} -> From ! {code_server, code_request(Request)};
        Other -> refuse(code_server, Other)
    end,
    serve(code_server);
serve(init) ->
    receive
        {From, Request} when is_pid(From) -> From ! {init, init_request(Request)};
        {stop, {stop, Status}} -> init:stop(Status);
        {stop, _} -> init:stop();
        Other -> refuse(init, Other)
    end,
    serve(init).

refuse(Name, Request) ->
    Text = io_lib:format("the request ~0tp to ~ts", [Request, Name]),
    fermata:refuse(unicode:characters_to_binary(Text)).

%% ---- the code server ----

code_request({set_path, Paths}) ->
    case lists:all(fun(Path) -> is_list(Path) orelse is_atom(Path) end, Paths) of
        true -> set_path(Paths, code:get_path());
        false -> {error, bad_path}
    end;
code_request({set_path, Paths, _Cache}) -> code_request({set_path, Paths});
code_request({replace_path, Name, Path}) ->
    _ = code:del_path(Name),
    code:add_path(Path);
code_request({replace_path, Name, Path, _Cache}) -> code_request({replace_path, Name, Path});
code_request({add_path, first, Path, _Cache}) -> code:add_patha(Path);
code_request({add_path, last, Path, _Cache}) -> code:add_pathz(Path);
code_request({add_paths, first, Paths, _Cache}) -> code:add_pathsa(Paths);
code_request({add_paths, last, Paths, _Cache}) -> code:add_pathsz(Paths);
code_request({del_paths, Paths}) ->
    [code:del_path(Path) || Path <- Paths],
    ok;
code_request(get_path) -> code:get_path();
code_request(rehash) -> ok;
code_request(clear_cache) -> ok;
code_request(get_mode) -> code:get_mode();
code_request(all_loaded) -> code:all_loaded();
code_request(root_dir) -> code:root_dir();
code_request({dir, root_dir}) -> code:root_dir();
code_request({dir, lib_dir}) -> code:lib_dir();
code_request({dir, {lib_dir, App}}) -> code:lib_dir(App);
code_request({dir, {priv_dir, App}}) -> code:priv_dir(App);
code_request({dir, compiler_dir}) -> filename:join(code:lib_dir(compiler), "ebin");
code_request({is_loaded, Module}) -> code:is_loaded(Module);
code_request({load_abs, File, _Module}) -> code:load_abs(File);
code_request({load_module, Prepared, Module, File, Purges, _EnsuresLoaded}) ->
    Purges andalso code:purge(Module),
    case erlang:finish_loading([Prepared]) of
        {Reason, _} when Reason =/= on_load -> {error, Reason};
        _ -> % the first call of a module runs its on_load function
            is_list(File) andalso fermata:name_code_file(Module, File),
            {module, Module}
    end;
code_request({finish_loading, Prepared, EnsuresLoaded}) ->
    finish_loading([P || {Module, _} = P <- Prepared,
                         not (EnsuresLoaded andalso erlang:module_loaded(Module))]);
code_request({load_file, Module}) -> code:load_file(Module);
code_request({load_binary, Module, File, Binary}) -> code:load_binary(Module, File, Binary);
code_request({ensure_loaded, Module}) -> code:ensure_loaded(Module);
code_request({get_object_code, Module}) -> code:get_object_code(Module);
code_request({is_sticky, Module}) -> code:is_sticky(Module);
code_request({delete, Module}) -> code:delete(Module);
code_request({purge, Module}) -> code:purge(Module);
code_request({soft_purge, Module}) -> code:soft_purge(Module);
code_request({stick_dir, Path}) -> code:stick_dir(Path);
code_request({unstick_dir, Path}) -> code:unstick_dir(Path);
code_request(Request) -> refuse(code_server, Request).

%% Several modules at once, of which none has an on_load function. No module is sticky here, so
%% modules of OTP are not replaced: the real code server refuses it.
finish_loading(Prepared) ->
    case [{Module, pending_on_load} || {Module, _} <- Prepared, fermata:runs_on_load(Module)] of
        [] -> replace(Prepared);
        Pending -> {error, Pending}
    end.

replace(Prepared) ->
    lists:any(fun({Module, _}) -> is_of_otp(code:is_loaded(Module)) end, Prepared) andalso
        fermata:refuse("replacing loaded modules of OTP by code:atomic_load/1"),
    case erlang:finish_loading([Code || {_, {Code, _}} <- Prepared]) of
        ok ->
            [fermata:name_code_file(Module, File) || {Module, {_, File}} <- Prepared],
            ok;
        {Reason, Modules} -> {error, [{Module, Reason} || Module <- Modules]}
    end.

is_of_otp({file, File}) when is_list(File) -> lists:prefix(code:lib_dir(), File);
is_of_otp({file, _}) -> true;
is_of_otp(false) -> false.

%% Folders of OTP cannot be taken away.
set_path(Paths, Before) ->
    [code:del_path(Path) || Path <- Before -- Paths],
    code:add_pathsz(Paths -- Before),
    lists:sort(code:get_path()) =:= lists:sort(Paths) orelse
        fermata:refuse("code:set_path/1 without folders of OTP").

%% ---- init ----

init_request(get_arguments) -> init:get_arguments();
init_request({get_argument, Name}) -> init:get_argument(Name);
init_request(get_plain_arguments) -> init:get_plain_arguments();
init_request(get_status) -> init:get_status();
init_request(script_id) -> init:script_id();
init_request({ensure_loaded, Module}) -> code:ensure_loaded(Module);
init_request(Request) -> refuse(init, Request).

%% ---- erl_prim_loader (src/vm/bifs/init.c): it does not say why a file cannot be read ----

read_file_info(Name) -> without_reason(prim_file:read_file_info(Name)).
read_link_info(Name) -> without_reason(prim_file:read_link_info(Name)).

%% Take(Module, File, Bytes) is called for the file of each module that is found on the path.
get_modules(Modules, Take) ->
    {ok, Path} = erl_prim_loader:get_path(),
    get_modules(Modules, Take, Path).

get_modules(Modules, Take, Path) ->
    Results = [{Module, get_module(Module, Take, Path)} || Module <- Modules],
    {ok, {[{Module, Result} || {Module, {ok, Result}} <- Results],
          [{Module, Reason} || {Module, {error, Reason}} <- Results]}}.

get_module(_, _, []) -> {error, enoent};
get_module(Module, Take, [Folder | Path]) ->
    File = filename:join(Folder, atom_to_list(Module) ++ ".beam"),
    case prim_file:read_file(File) of
        {ok, Bytes} -> Take(Module, File, Bytes);
        {error, Reason} when Reason =:= enoent; Reason =:= enotdir ->
            get_module(Module, Take, Path);
        {error, Reason} -> {error, Reason}
    end.

without_reason({ok, _} = Ok) -> Ok;
without_reason({error, _}) -> error.
