%% rebar3 fermata_races
-module(rebar3_fermata_races).
-behaviour(provider).

-export([init/1, do/1, format_error/1]).

init(State) ->
    Provider = providers:create(
                 [{name, fermata_races}, {module, ?MODULE}, {bare, true}, {deps, [compile]},
                  {profiles, [test]}, {example, "rebar3 fermata_races"},
                  {short_desc, "Find races in the .beam files without running them"},
                  {desc, "Find races in the .beam files without running them."},
                  {opts, [{module, $m, "module", string, "modules, with commas"},
                          {options, $o, "options", string, "options of fermata"}]}]),
    {ok, rebar_state:add_provider(State, Provider)}.

do(State) ->
    rebar3_fermata:call(State, ["races"] ++ rebar3_fermata:own_folders(State)
                        ++ rebar3_fermata:options(State)).

format_error(Reason) ->
    io_lib:format("~s", [Reason]).
