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
    Modules = rebar3_fermata:modules(State, "_tests"),
    Suites = rebar3_fermata:modules(State, "_SUITE"),
    case [{kind(Name), Name} || Name <- lists:usort(Modules ++ Suites)] of
        [] -> {error, "the project has no module *_tests or *_SUITE (--module names others)"};
        Tests ->
            File = filename:join(rebar_dir:base_dir(State), "fermata.toml"),
            ok = file:write_file(File, [test(State, Kind, Name) || {Kind, Name} <- Tests]),
            rebar3_fermata:call(State, ["run", "--here"]
                                ++ rebar3_fermata:options(State) ++ [File])
    end.

%% --module may name one test: shelf_tests:add_test.
kind(Name) ->
    case lists:suffix("_SUITE", hd(string:split(Name, ":"))) of
        true -> "ct";
        false -> "eunit"
    end.

test(State, Kind, Name) ->
    Folders = [io_lib:format("\"~ts\"", [Folder]) || Folder <- rebar3_fermata:folders(State)],
    io_lib:format("[[test]]~n~ts = \"~ts\"~npa = [~ts]~n",
                  [Kind, Name, lists:join(", ", Folders)]).

format_error(Reason) ->
    io_lib:format("~s", [Reason]).
