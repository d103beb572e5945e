%% A cache in a public table, and names given out once each.
%%
%% fetch/1 looks, computes what is missing and puts it in: two processes can both find it missing
%% and both compute. claim/1 asks whether a name is free and then takes it: two can both have it.
%% The fixed ones let ets:insert_new/2 decide.
%%
%% expect: compute_once => bug,abnormal-exit
%% expect: claim_once => bug,abnormal-exit
%% expect: claim_once_fixed => proved
%% confirm: compute_once => ets lookup insert confirmed
%% confirm: claim_once => ets member insert confirmed
%% confirm: claim_once_fixed => ets member insert not-reached
%% confirm: - => ets lookup insert confirmed
%% confirm: - => ets member insert confirmed
-module(ets_cache).
-export([open/0, fetch/1, claim/1, claim_fixed/1, compute_once/0, claim_once/0,
         claim_once_fixed/0]).

open() -> ets:new(cache, [named_table, public]).

fetch(Key) ->
    case ets:lookup(cache, Key) of
        [{Key, Value}] -> Value;
        [] ->
            Value = compute(Key),
            ets:insert(cache, {Key, Value}),
            Value
    end.

%% Expensive: how often is it done?
compute(Key) ->
    ets:update_counter(cache, computed, 1, {computed, 0}),
    {value_of, Key}.

claim(Name) ->
    case ets:member(cache, Name) of
        true -> taken;
        false -> ets:insert(cache, {Name, self()}), mine
    end.

claim_fixed(Name) ->
    case ets:insert_new(cache, {Name, self()}) of
        true -> mine;
        false -> taken
    end.

compute_once() ->
    open(),
    _ = both(fun() -> fetch(a) end),
    [{computed, 1}] = ets:lookup(cache, computed).

claim_once() ->
    open(),
    [mine, taken] = lists:sort(both(fun() -> claim(a) end)).

claim_once_fixed() ->
    open(),
    [mine, taken] = lists:sort(both(fun() -> claim_fixed(a) end)).

%% What the function gives in a second process and in this one.
both(Fun) ->
    Self = self(),
    Pid = spawn(fun() -> Self ! {self(), Fun()} end),
    Mine = Fun(),
    receive {Pid, Its} -> [Mine, Its] end.
