%% rebar3 fermata
-module(rebar3_fermata_test).
-behaviour(provider).

-export([init/1, do/1, format_error/1]).

init(State) ->
    Provider = providers:create(
                 [{name, fermata}, {module, ?MODULE}, {bare, true}, {deps, [compile]},
                  {profiles, [test]}, {example, "rebar3 fermata"},
                  {short_desc, "Explore the EUnit tests under all schedules"}, {desc, "Explore the EUnit tests under all schedules."},
                  {opts, [{module, $m, "module", string, "modules, with commas"},
                          {options, $o, "options", string, "options of fermata"}]}]),
    {ok, rebar_state:add_provider(State, Provider)}.

do(State) ->
    case rebar3_fermata:modules(State, "_tests") of
        [] ->
            {error, "the project has no module *_tests (--module names others)"};
        Modules ->
            rebar3_fermata:call(State, ["test"] ++ rebar3_fermata:paths(State)
                                ++ rebar3_fermata:options(State) ++ ["--eunit" | Modules])
    end.

format_error(Reason) ->
    io_lib:format("~s", [Reason]).
