%% Generators for state machines and properties when PropEr is not installed: the common ones of
%% PropEr, under its names, so that modules need not change. The loader finds them behind the search
%% path: an installed PropEr always comes first.
%%
%% A generator is a term in which some parts are #type{}: `{call, m, f, [integer(), a]}` is one. A
%% #type{} has three functions: one makes a value for a size, one lists simpler values, simplest
%% first, and one tells whether a value could be its own. The values are plain: nothing is kept
%% about how they were made. So a value that went through ?LET is not made simpler.
-module(proper_types).
-export([make/2, simpler/2, fits/2, cook_outer/1]).
-export([integer/0, integer/2, range/2, choose/2, int/0, nat/0, largeint/0, non_neg_integer/0,
         pos_integer/0, neg_integer/0, byte/0, char/0, boolean/0, bool/0, atom/0, float/0, float/2,
         real/0, number/0, binary/0, binary/1, list/0, list/1, string/0, vector/2, fixed_list/1,
         tuple/1, loose_tuple/1, map/2, any/0, term/0]).
-export([oneof/1, union/1, elements/1, frequency/1, weighted_union/1, default/2,
         weighted_default/2, return/1, exactly/1]).
-export([bind/3, add_constraint/3, shrinkwith/2, sized/1, resize/2, noshrink/1, non_empty/1,
         lazy/1]).

-record(type, {make, simpler = fun(_) -> [] end, fits = fun(_) -> true end}).

-define(TRIES, 100).

%% ---- what a generator can do ----

%% A value of this size.
make(#type{make = Make}, Size) -> Make(Size);
make(Tuple, Size) when is_tuple(Tuple) ->
    list_to_tuple([make(Part, Size) || Part <- tuple_to_list(Tuple)]);
make([Head | Tail], Size) -> [make(Head, Size) | make(Tail, Size)];
make(Map, Size) when is_map(Map) -> maps:map(fun(_, Part) -> make(Part, Size) end, Map);
make(Constant, _) -> Constant.

%% Simpler values, one part made simpler at a time.
simpler(#type{simpler = Simpler}, Value) -> Simpler(Value);
simpler(Tuple, Value) when is_tuple(Tuple), tuple_size(Tuple) =:= tuple_size(Value) ->
    [list_to_tuple(Parts) || Parts <- simpler(tuple_to_list(Tuple), tuple_to_list(Value))];
simpler([Head | Tail], [First | Rest]) ->
    [[S | Rest] || S <- simpler(Head, First)] ++ [[First | S] || S <- simpler(Tail, Rest)];
simpler(Map, Value) when is_map(Map), is_map(Value) ->
    [Value#{Key := S} || {Key, Part} <- maps:to_list(Map), is_map_key(Key, Value),
                         S <- simpler(Part, maps:get(Key, Value))];
simpler(_, _) -> [].

fits(#type{fits = Fits}, Value) -> Fits(Value);
fits(Tuple, Value) when is_tuple(Tuple), is_tuple(Value) ->
    tuple_size(Tuple) =:= tuple_size(Value) andalso
        fits(tuple_to_list(Tuple), tuple_to_list(Value));
fits([Head | Tail], [First | Rest]) -> fits(Head, First) andalso fits(Tail, Rest);
fits(Map, Value) when is_map(Map), is_map(Value) ->
    maps:keys(Map) =:= maps:keys(Value) andalso
        lists:all(fun(Key) -> fits(maps:get(Key, Map), maps:get(Key, Value)) end, maps:keys(Map));
fits(Constant, Value) -> Constant =:= Value.

cook_outer(Type) -> Type.

%% ---- numbers ----

integer() -> number_type(fun(Size) -> between(-Size, Size) end, 0, fun is_integer/1).
int() -> integer().
largeint() -> number_type(fun(Size) -> between(-(1 bsl Size), 1 bsl Size) end, 0, fun is_integer/1).
nat() -> non_neg_integer().
non_neg_integer() ->
    number_type(fun(Size) -> between(0, Size) end, 0, at_least(0)).
pos_integer() ->
    number_type(fun(Size) -> between(1, Size + 1) end, 1, at_least(1)).
neg_integer() ->
    number_type(fun(Size) -> between(-Size - 1, -1) end, -1,
                fun(N) -> is_integer(N) andalso N < 0 end).

integer(Low, High) -> range(Low, High).
choose(Low, High) -> range(Low, High).
range(inf, inf) -> integer();
range(Low, inf) ->
    number_type(fun(Size) -> between(Low, Low + Size) end, max(Low, 0), at_least(Low));
range(inf, High) ->
    number_type(fun(Size) -> between(High - Size, High) end, min(High, 0),
                fun(N) -> is_integer(N) andalso N =< High end);
range(Low, High) when Low =< High ->
    number_type(fun(_) -> between(Low, High) end, min(High, max(Low, 0)),
                fun(N) -> is_integer(N) andalso N >= Low andalso N =< High end).

at_least(Low) -> fun(N) -> is_integer(N) andalso N >= Low end.

byte() -> range(0, 255).
char() -> range(0, 16#ff).

%% Simpler numbers are nearer to Target, by halves.
number_type(Make, Target, Fits) ->
    #type{make = Make, fits = Fits,
          simpler = fun(N) ->
              Near = [Target, N - (N - Target) div 2, N - sign(N - Target)],
              lists:usort(fun(A, B) -> abs(A - Target) =< abs(B - Target) end,
                          [C || C <- Near, C =/= N, Fits(C)])
          end}.

sign(N) when N > 0 -> 1;
sign(0) -> 0;
sign(_) -> -1.

between(Low, High) -> Low + rand:uniform(High - Low + 1) - 1.

real() -> float().
float() ->
    #type{make = fun(Size) -> (rand:uniform() - 0.5) * 2 * Size end, fits = fun is_float/1,
          simpler = fun(X) -> [C || C <- [0.0, float(trunc(X))], C =/= X] end}.
float(Low, High) ->
    #type{make = fun(_) -> Low + rand:uniform() * (High - Low) end,
          fits = fun(X) -> is_float(X) andalso X >= Low andalso X =< High end}.
number() -> oneof([integer(), float()]).

%% ---- atoms, texts, containers ----

boolean() -> oneof([false, true]).
bool() -> boolean().

atom() ->
    #type{make = fun(Size) -> list_to_atom(letters(between(0, min(Size, 20)))) end,
          fits = fun is_atom/1,
          simpler = fun('') -> []; (a) -> ['']; (_) -> ['', a] end}.

letters(N) -> [between($a, $z) || _ <- lists:seq(1, N)].

binary() -> #type{make = fun(Size) -> bytes(between(0, Size)) end, fits = fun is_binary/1,
                  simpler = fun(<<>>) -> [];
                               (B) -> [<<>>, binary:part(B, 0, byte_size(B) div 2)] end}.
binary(N) -> #type{make = fun(_) -> bytes(N) end,
                   fits = fun(B) -> is_binary(B) andalso byte_size(B) =:= N end}.

bytes(N) -> << <<(between(0, 255))>> || _ <- lists:seq(1, N) >>.

string() -> list(char()).
list() -> list(any()).
list(Item) ->
    #type{make = fun(Size) -> [make(Item, Size) || _ <- lists:seq(1, between(0, Size))] end,
          simpler = fun(List) ->
              Shorter = [[] || List =/= []] ++ halves(List) ++ without_one(List),
              Shorter ++ simpler([Item || _ <- List], List)
          end,
          fits = fun(List) -> is_list(List) andalso
                                  lists:all(fun(V) -> fits(Item, V) end, List) end}.

halves(List) when length(List) >= 4 ->
    {A, B} = lists:split(length(List) div 2, List),
    [A, B];
halves(_) -> [].

without_one(List) when length(List) > 1 ->
    [lists:sublist(List, N - 1) ++ lists:nthtail(N, List) || N <- lists:seq(1, length(List))];
without_one(_) -> [].

vector(N, Item) -> fixed_list(lists:duplicate(N, Item)).
fixed_list(Items) -> Items.
tuple(Items) -> list_to_tuple(Items).
loose_tuple(Item) -> bind(list(Item), fun erlang:list_to_tuple/1, false).
map(Key, Value) -> bind(list({Key, Value}), fun maps:from_list/1, false).

any() -> oneof([integer(), atom(), binary(), float(), list(integer()), {integer(), atom()}]).
term() -> any().

%% ---- choices ----

return(Value) -> exactly(Value).
exactly(Value) -> #type{make = fun(_) -> Value end, fits = fun(V) -> V =:= Value end}.

elements(Values) -> oneof(Values).
union(Choices) -> oneof(Choices).
oneof(Choices) -> frequency([{1, C} || C <- Choices]).

weighted_union(Choices) -> frequency(Choices).
weighted_default(A, B) -> frequency([A, B]).
default(Default, Type) -> frequency([{1, Default}, {1, Type}]).

%% Simpler: a constant that stands before, or simpler by a choice that the value fits.
frequency(Weighted) ->
    #type{make = fun(Size) -> make(pick(Weighted), Size) end,
          fits = fun(V) -> lists:any(fun({_, C}) -> fits(C, V) end, Weighted) end,
          simpler = fun(V) ->
              Before = lists:takewhile(fun({_, C}) -> not fits(C, V) end, Weighted),
              [C || {_, C} <- Before, is_constant(C)] ++
                  lists:append([simpler(C, V) || {_, C} <- Weighted, fits(C, V)])
          end}.

pick([]) -> throw('$cant_generate');
pick(Weighted) -> pick(Weighted, between(1, lists:sum([W || {W, _} <- Weighted]))).

pick([{W, Choice} | _], At) when At =< W -> Choice;
pick([{W, _} | Rest], At) -> pick(Rest, At - W).

is_constant(#type{}) -> false;
is_constant(Tuple) when is_tuple(Tuple) -> is_constant(tuple_to_list(Tuple));
is_constant([Head | Tail]) -> is_constant(Head) andalso is_constant(Tail);
is_constant(Map) when is_map(Map) -> is_constant(maps:values(Map));
is_constant(_) -> true.

%% ---- what the macros are made of ----

%% ?LET and ?LETSHRINK
bind(Raw, Fun, _) -> #type{make = fun(Size) -> make(Fun(make(Raw, Size)), Size) end}.

%% ?SUCHTHAT and ?SUCHTHATMAYBE
add_constraint(Type, Condition, IsStrict) ->
    #type{make = fun(Size) -> such_that(Type, Condition, IsStrict, Size, ?TRIES) end,
          simpler = fun(V) -> [S || S <- simpler(Type, V), Condition(S)] end,
          fits = fun(V) -> fits(Type, V) andalso Condition(V) end}.

such_that(_, _, true, _, 0) -> throw('$cant_generate');
such_that(Type, _, false, Size, 0) -> make(Type, Size);
such_that(Type, Condition, IsStrict, Size, Tries) ->
    Value = make(Type, Size),
    case Condition(Value) of
        true -> Value;
        false -> such_that(Type, Condition, IsStrict, Size + 1, Tries - 1)
    end.

%% ?SHRINK: the other generators are simpler.
shrinkwith(Type, Others) ->
    #type{make = fun(Size) -> make(Type(), Size) end,
          simpler = fun(_) -> [O || O <- Others(), is_constant(O)] end}.

sized(Fun) -> #type{make = fun(Size) -> make(Fun(Size), Size) end}.
resize(Size, Type) ->
    #type{make = fun(_) -> make(Type, Size) end, simpler = fun(V) -> simpler(Type, V) end,
          fits = fun(V) -> fits(Type, V) end}.
lazy(Fun) -> #type{make = fun(Size) -> make(Fun(), Size) end}.
noshrink(Type) ->
    #type{make = fun(Size) -> make(Type, Size) end, fits = fun(V) -> fits(Type, V) end}.
non_empty(Type) -> add_constraint(Type, fun(V) -> V =/= [] andalso V =/= <<>> end, true).
