%% Values of the generators in proper_types.erl, beside this file.
-module(proper_gen).
-export([safe_generate/1, clean_instance/1]).

%% {ok, Value} or {error, Reason}. The size is that of proper:global_state_init_size_seed/2.
safe_generate(Type) ->
    try {ok, proper_types:make(Type, get('$fermata_size'))}
    catch throw:'$cant_generate' -> {error, cant_generate}
    end.

clean_instance(Value) -> Value.
