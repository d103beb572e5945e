%% Symbolic terms: {var, V} stands for a result, {call, M, F, Args} for a call to be made.
-module(proper_symb).
-export([eval/1, eval/2, internal_eval/1]).

eval(Term) -> eval([], Term).

%% The term with the values of Env for variables, and every call made, the inner ones first.
eval(Env, {var, Name} = Var) -> proplists:get_value(Name, Env, Var);
eval(Env, {call, M, F, Args}) when is_list(Args) ->
    apply(eval(Env, M), eval(Env, F), eval(Env, Args));
eval(Env, Tuple) when is_tuple(Tuple) -> list_to_tuple(eval(Env, tuple_to_list(Tuple)));
eval(Env, [Head | Tail]) -> [eval(Env, Head) | eval(Env, Tail)];
eval(Env, Map) when is_map(Map) -> maps:map(fun(_, Value) -> eval(Env, Value) end, Map);
eval(_, Term) -> Term.

%% PropEr marks calls of its own so that they are made at once; the generators here have none.
internal_eval(Term) -> Term.
