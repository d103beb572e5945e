%% The rebar3 plugin: `rebar3 fermata` explores the EUnit tests and Common Test suites of the project,
%% `rebar3 fermata_races` looks for races without running anything, `rebar3 fermata_prop` runs PropEr
%% state machines.
%%
%% All three compile the project in the test profile and call the program `fermata` with the folders of
%% all .beam files. {fermata_opts, ["--max-time", "60"]} in rebar.config are further options of it.
-module(rebar3_fermata).

-export([init/1, folders/1, paths/1, own_folders/1, modules/2, eunit_modules/1, call/2, options/1]).

init(State) ->
    lists:foldl(fun(Module, {ok, S}) -> Module:init(S) end, {ok, State},
                [rebar3_fermata_test, rebar3_fermata_races, rebar3_fermata_prop]).

%% The folders of the project's own .beam files: each application, and its tests.
own_folders(State) ->
    [Folder || App <- rebar_state:project_apps(State),
               Folder <- [rebar_app_info:ebin_dir(App),
                          filename:join(rebar_app_info:out_dir(App), "test")],
               filelib:is_dir(Folder)].

%% The folders of the project and of everything that it depends on.
folders(State) ->
    Folders = own_folders(State) ++ rebar_state:code_paths(State, all_deps),
    [Folder || Folder <- lists:usort(Folders), filelib:is_dir(Folder)].

paths(State) -> lists:append([["-pa", Folder] || Folder <- folders(State)]).

%% The modules that were asked for (--module a,b), or those of the project with this ending.
modules(State, Ending) ->
    asked(State, fun() -> [Module || {Module, _} <- own_modules(State), lists:suffix(Ending, Module)] end).

%% The modules that were asked for, or those with EUnit tests, as `rebar3 eunit` finds them: every module
%% with tests of its own, in src or in test. EUnit tests counter_tests together with counter.
eunit_modules(State) ->
    asked(State, fun() ->
                         Names = [Module || {Module, Beam} <- own_modules(State), has_tests(Beam),
                                            not lists:suffix("_SUITE", Module)],
                         [Name || Name <- Names, not lists:suffix("_tests", Name)
                                      orelse not lists:member(lists:sublist(Name, length(Name) - 6), Names)]
                 end).

asked(State, Find) ->
    {Args, _} = rebar_state:command_parsed_args(State),
    case proplists:get_value(module, Args) of
        undefined -> Find();
        Names -> string:lexemes(Names, ", ")
    end.

own_modules(State) ->
    lists:usort([{filename:basename(Beam, ".beam"), filename:join(Folder, Beam)}
                 || Folder <- own_folders(State), Beam <- filelib:wildcard("*.beam", Folder)]).

has_tests(Beam) ->
    case beam_lib:chunks(Beam, [exports]) of
        {ok, {_, [{exports, Functions}]}} ->
            lists:any(fun({Name, 0}) -> is_test(atom_to_list(Name));
                         (_) -> false
                      end, Functions);
        _ -> false
    end.

is_test(Name) -> lists:suffix("_test", Name) orelse lists:suffix("_test_", Name).

%% Options of fermata: those of rebar.config, then those of the command line.
options(State) ->
    {Args, _} = rebar_state:command_parsed_args(State),
    Given = proplists:get_value(options, Args, ""),
    rebar_state:get(State, fermata_opts, []) ++ string:lexemes(Given, " ").

%% Runs fermata and prints what it prints. ok only if its status is 0.
call(State, Words) ->
    case os:find_executable("fermata") of
        false ->
            {error, "the program fermata is not on PATH"};
        Program ->
            Port = open_port({spawn_executable, Program},
                             [{args, Words}, exit_status, stderr_to_stdout, binary,
                              {cd, rebar_state:dir(State)}]),
            follow(Port, State)
    end.

follow(Port, State) ->
    receive
        {Port, {data, Text}} ->
            io:put_chars(user, Text),
            follow(Port, State);
        {Port, {exit_status, 0}} ->
            {ok, State};
        {Port, {exit_status, 1}} ->
            {error, "fermata found a bug"};
        {Port, {exit_status, Status}} ->
            {error, io_lib:format("fermata ended with status ~b", [Status])}
    end.
