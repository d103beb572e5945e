%% Simpler values, by the generators in proper_types.erl, beside this file: all in one round.
-module(proper_shrink).
-export([shrink/3]).

shrink(Value, Type, init) -> {proper_types:simpler(Type, Value), done};
shrink(_, _, done) -> {[], done}.
