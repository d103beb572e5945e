%% The handler `default` of logger. It does not print: a search runs a test many times.
%%
%% While it is the only handler, the level that callers see (a persistent term) is none, so that
%% crash reports are not even built. The configuration says notice, as on a real node. The first
%% other handler puts the level into force.
-module(fermata_logger).
-export([start/0, add_handler/3, log/2]).

-define(LEVEL, {logger_config, '$primary_config$'}).
-define(NONE, -1).

%% Called when the system processes start (src/vm/process/boot.c).
start() ->
    Filters = [{remote_gl, {fun logger_filters:remote_gl/2, stop}},
               {domain, {fun logger_filters:domain/2, {log, super, [otp, sasl]}}},
               {no_domain, {fun logger_filters:domain/2, {log, undefined, []}}}],
    Formatter = {logger_formatter, #{legacy_header => true, single_line => false}},
    ok = logger_server:add_handler(default, ?MODULE,
                                   #{filter_default => stop, filters => Filters,
                                     formatter => Formatter, config => #{type => standard_io}}),
    persistent_term:put(?LEVEL, ?NONE).

%% In place of logger:add_handler/3 (src/vm/bifs/os.c).
add_handler(Id, Module, Config) ->
    case persistent_term:get(?LEVEL, ?NONE) of
        ?NONE -> logger:set_primary_config(level, maps:get(level, logger:get_primary_config()));
        _ -> ok
    end,
    logger_server:add_handler(Id, Module, Config).

log(_Event, _Config) -> ok.
