%% rebar3 fermata
-module(rebar3_fermata_test).
-behaviour(provider).

-export([init/1, do/1, format_error/1]).

init(State) ->
    Provider = providers:create(
                 [{name, fermata}, {module, ?MODULE}, {bare, true}, {deps, [compile]},
                  {profiles, [test]}, {example, "rebar3 fermata"},
                  {short_desc, "Explore EUnit tests and Common Test suites under all schedules"},
                  {desc, "Explore EUnit tests and Common Test suites under all schedules."},
                  {opts, [{module, $m, "module", string, "modules, with commas"},
                          {options, $o, "options", string, "options of fermata"}]}]),
    {ok, rebar_state:add_provider(State, Provider)}.

%% EUnit modules and Common Test suites are explored together by `fermata run`, so that there is one
%% verdict and one report. Its file is written into _build.
do(State) ->
    Modules = rebar3_fermata:eunit_modules(State),
    Suites = rebar3_fermata:modules(State, "_SUITE"),
    case [{kind(Name), Name} || Name <- lists:usort(Modules ++ Suites)] of
        [] -> {error, "the project has no module with EUnit tests and no *_SUITE (--module names others)"};
        Tests ->
            File = filename:join(rebar_dir:base_dir(State), "fermata.toml"),
            Configs = [{Kind, config(State, Kind)} || Kind <- ["eunit", "ct"]],
            ok = file:write_file(File, [test(State, Kind, Name, proplists:get_value(Kind, Configs))
                                        || {Kind, Name} <- Tests]),
            rebar3_fermata:call(State, ["run", "--here"]
                                ++ rebar3_fermata:options(State) ++ [File])
    end.

%% --module may name one test: shelf_tests:add_test.
kind(Name) ->
    case lists:suffix("_SUITE", hd(string:split(Name, ":"))) of
        true -> "ct";
        false -> "eunit"
    end.

%% The line of the file that names the configuration of eunit_opts or ct_opts, as `rebar3 eunit` and
%% `rebar3 ct` would read it: a file in _build that includes the files of sys_config and those of config.
config(State, Kind) ->
    Key = list_to_atom(Kind ++ "_opts"),
    Options = rebar_state:get(State, Key, []),
    warn(Key, Options),
    Names = lists:append([names(proplists:get_value(Name, Options, [])) || Name <- [sys_config, config]]),
    File = filename:join(rebar_dir:base_dir(State), "fermata-" ++ Kind ++ ".config"),
    Included = [filename:absname(Name, rebar_state:dir(State)) || Name <- Names],
    Missing = [Name || Name <- Included, not filelib:is_regular(Name)],
    case Included of
        [] -> "";
        _ when Missing =/= [] ->
            rebar_api:abort("~ts of ~p in rebar.config is not there", [hd(Missing), Key]);
        _ ->
            ok = file:write_file(File, unicode:characters_to_binary(io_lib:format("~tp.~n", [Included]))),
            io_lib:format("config = \"~ts\"~n", [File])
    end.

%% A name, or a list of names.
names([]) -> [];
names([First | _] = Name) when is_integer(First) -> [Name];
names(Names) -> Names.

%% Options that choose tests or change what they do, and that fermata does not know.
warn(Key, Options) ->
    Harmless = [sys_config, config, verbose, no_tty, report, cover, cover_export_name, logdir, label, print,
                readable, keep_logs, basic_html, create_priv_dir, name, sname, setcookie, scale_timeouts],
    [rebar_api:warn("~p of ~p in rebar.config is not used by fermata", [Option, Key])
     || Option <- proplists:get_keys(Options), not lists:member(Option, Harmless)].

test(State, Kind, Name, Config) ->
    Folders = [io_lib:format("\"~ts\"", [Folder]) || Folder <- rebar3_fermata:folders(State)],
    io_lib:format("[[test]]~n~ts = \"~ts\"~npa = [~ts]~n~ts",
                  [Kind, Name, lists:join(", ", Folders), Config]).

format_error(Reason) ->
    io_lib:format("~s", [Reason]).
