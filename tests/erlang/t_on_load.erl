%% The functions of a module whose on_load function must have run before.
-module(t_on_load).
-export([value/0, exported/0, is_loaded/0]).
-on_load(init/0).

init() ->
    persistent_term:put(?MODULE, {ready, ?MODULE}),
    ok.

value() -> persistent_term:get(?MODULE, not_ready).
exported() -> erlang:function_exported(?MODULE, value, 0).
is_loaded() -> erlang:module_loaded(?MODULE).
