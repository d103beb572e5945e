%% Evaluates PropEr's properties: the terms that its macros build around a test. One evaluation is
%% one instance: every ?FORALL has one value.
%%
%% The values of the first ?FORALLs may be given. Each of the others is generated when it is reached,
%% with a seed that its depth is part of: two ?FORALLs over the same type have different values.
-module(fermata_property).
-export([evaluate/4, values/0, outermost/1, expects_failure/1]).

-define(VALUES, '$fermata_values').
-define(DISCARDED, '$fermata_discarded').

%% true, false or discarded; raises what the test raises. Wrappers of the whole property are passed
%% over: how often it is to be tested, and whether it shall fail, is decided elsewhere. A generated
%% fun makes its results when it is called, with the size and seed of this process.
evaluate(Property, Given, Size, Seed) ->
    start_random(Size, Seed, length(Given)),
    put(?VALUES, {Given, Size, Seed, []}),
    try verdict(Property)
    catch throw:?DISCARDED -> discarded
    end.

%% The values of the ?FORALLs that this process has reached, the outermost first.
values() ->
    {_, _, _, Taken} = get(?VALUES),
    lists:reverse(Taken).

%% The outermost ?FORALL of a property, {forall, Type, Body}; or none.
outermost({forall, _, _} = Forall) -> Forall;
outermost(Property) ->
    case inside(Property) of
        {yes, Test} -> outermost(Test);
        no -> none
    end.

%% Is it enough that some instance fails (fails/1)?
expects_failure({fails, _}) -> true;
expects_failure({numtests, _, Test}) -> expects_failure(Test);
expects_failure({on_output, _, Test}) -> expects_failure(Test);
expects_failure(_) -> false.

verdict(Result) when is_boolean(Result) -> Result;
verdict({forall, Type, Body}) -> verdict(Body(value(Type)));
verdict({implies, false, _}) -> discarded;
verdict({conjunction, Tests}) -> lists:all(fun({_, Test}) -> verdict(Test) =/= false end, Tests);
verdict({exists, _, _, _}) -> error({'$fermata_not_supported', "?EXISTS or ?NOT_EXISTS"});
verdict(Other) ->
    case inside(Other) of
        {yes, Test} -> verdict(Test);
        no -> error({no_property, Other})
    end.

%% The property inside a macro. Time limits are not kept, and samples are not collected. Around a
%% test in ?TRAPEXIT PropEr traps exits in another process; here the run ends with the test.
inside(Fun) when is_function(Fun, 0) -> {yes, Fun()};
inside({numtests, _, Test}) -> {yes, Test};
inside({fails, Test}) -> {yes, Test};
inside({on_output, _, Test}) -> {yes, Test};
inside({setup, Fun, Test}) ->
    case is_function(Fun, 0) of true -> Fun(); false -> Fun([]) end,
    {yes, Test};
inside({implies, true, Test}) -> {yes, Test};
inside({sample, _, _, Test}) -> {yes, Test};
inside({whenfail, _, Test}) -> {yes, Test};
inside({timeout, _, Test}) -> {yes, Test};
inside({trapexit, Test}) -> {yes, Test};
inside(_) -> no.

value(Type) ->
    {Given, Size, Seed, Taken} = get(?VALUES),
    {Value, Rest} = case Given of
        [First | Others] -> {First, Others};
        [] -> {generate(Type, Size, Seed, length(Taken)), []}
    end,
    put(?VALUES, {Rest, Size, Seed, [Value | Taken]}),
    Value.

%% A constraint that no try met (?SUCHTHAT) discards the instance.
generate(Type, Size, Seed, Depth) ->
    start_random(Size, Seed, Depth),
    case proper_gen:safe_generate(Type) of
        {ok, Imm} -> proper_symb:internal_eval(proper_gen:clean_instance(Imm));
        {error, _} -> throw(?DISCARDED)
    end.

start_random(Size, {A, B, C}, Depth) -> proper:global_state_init_size_seed(Size, {A, B, C + Depth}).
