%% rebar3 fermata_prop
-module(rebar3_fermata_prop).
-behaviour(provider).

-export([init/1, do/1, format_error/1]).

init(State) ->
    Provider = providers:create(
                 [{name, fermata_prop}, {module, ?MODULE}, {bare, true}, {deps, [compile]},
                  {profiles, [test]}, {example, "rebar3 fermata_prop"},
                  {short_desc, "Run PropEr properties in parallel, under many schedules"},
                  {desc, "Run PropEr properties in parallel, under many schedules."},
                  {opts, [{module, $m, "module", string, "modules, with commas"},
                          {options, $o, "options", string, "options of fermata"}]}]),
    {ok, rebar_state:add_provider(State, Provider)}.

do(State) ->
    case rebar3_fermata:modules(State, "_statem") of
        [] ->
            {error, "the project has no module *_statem (--module names others)"};
        Modules ->
            lists:foldl(fun(Module, {ok, S}) ->
                                rebar3_fermata:call(S, ["prop"] ++ rebar3_fermata:paths(S)
                                                    ++ rebar3_fermata:options(S) ++ [Module]);
                           (_, Failed) -> Failed
                        end, {ok, State}, Modules)
    end.

format_error(Reason) ->
    io_lib:format("~s", [Reason]).
