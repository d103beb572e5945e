%% The set-up of the options `--config`, `--start` and `--setup`, run once before exploration.
%%
%% The process that runs it does not end, so that tables and linked processes of the set-up stay.
-module(fermata_setup).
-export([run/3]).

%% Config: the name of a sys.config, or []. Applications: names. Setup: {Module, Function} or none.
run(Config, Applications, Setup) ->
    configure(Config),
    start_all(Applications),
    call(Setup),
    fermata:end_setup(),
    receive after infinity -> ok end.

configure([]) -> ok;
configure(File) ->
    case file:consult(File) of
        {ok, [Entries]} when is_list(Entries) -> lists:foreach(fun(E) -> set(File, E) end, Entries);
        {ok, Terms} -> set_variables(File, Terms);
        {error, Reason} -> broken("~ts: ~ts", [File, file:format_error(Reason)])
    end.

%% A file with several terms has the variables of Common Test (common_test/ct.erl).
set_variables(File, Terms) ->
    lists:all(fun(Term) -> is_tuple(Term) andalso tuple_size(Term) =:= 2 end, Terms)
        orelse broken("~ts is not one list of {Application, [{Key, Value}]}, and not a series of "
                      "{Key, Value} for Common Test", [File]),
    Known = persistent_term:get('$fermata_ct_config', []),
    persistent_term:put('$fermata_ct_config', Known ++ Terms).

%% A file name stands for the entries of that file, as in a release.
set(File, Other) when is_list(Other) ->
    Name = case filename:extension(Other) of
               "" -> Other ++ ".config";
               _ -> Other
           end,
    configure(filename:join(filename:dirname(File), Name));
set(_, {Application, Variables}) when is_atom(Application), is_list(Variables) ->
    [application:set_env(Application, Key, Value, [{persistent, true}])
     || {Key, Value} <- Variables],
    ok;
set(File, Entry) ->
    broken("~ts: ~0tp is not {Application, [{Key, Value}]}", [File, Entry]).

%% Elixir's logger warns if the level is not the default one, notice. The machine has none, because each
%% log is a step.
start_all([]) -> ok;
start_all(Applications) ->
    #{level := Level} = logger:get_primary_config(),
    logger:set_primary_config(level, notice),
    lists:foreach(fun start/1, Applications),
    logger:set_primary_config(level, Level),
    ok.

start(Application) ->
    case application:ensure_all_started(Application) of
        {ok, _} -> ok;
        {error, {Failed, {"no such file or directory", _}}} ->
            broken("application ~ts is not on the code path", [Failed]);
        {error, Reason} -> broken("~ts does not start: ~0tp", [Application, Reason])
    end.

call(none) -> ok;
call({Module, Function}) ->
    try Module:Function()
    catch Class:Reason -> broken("~ts:~ts fails: ~ts ~0tp", [Module, Function, Class, Reason])
    end.

-spec broken(string(), [term()]) -> no_return().
broken(Format, Args) ->
    exit({broken, unicode:characters_to_binary(io_lib:format(Format, Args))}).
