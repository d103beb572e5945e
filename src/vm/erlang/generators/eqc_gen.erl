%% The common generators of QuickCheck, by those of PropEr (or those beside this file).
-module(eqc_gen).
-export([int/0, largeint/0, nat/0, choose/2, bool/0, char/0, real/0, binary/0, binary/1, list/1,
         vector/2, oneof/1, elements/1, frequency/1, return/1, default/2, weighted_default/2,
         non_empty/1, noshrink/1, resize/2, utf8/0, map/2]).
-export([bind/2, suchthat/2, suchthat/3, sized/1, lazy/1, letshrink/2]).

int() -> proper_types:integer().
largeint() -> proper_types:integer().
nat() -> proper_types:non_neg_integer().
choose(Low, High) -> proper_types:integer(Low, High).
bool() -> proper_types:boolean().
char() -> proper_types:char().
real() -> proper_types:float().
binary() -> proper_types:binary().
binary(N) -> proper_types:binary(N).
list(G) -> proper_types:list(G).
vector(N, G) -> proper_types:vector(N, G).
oneof(Gs) -> proper_types:oneof(Gs).
elements(Values) -> proper_types:oneof([proper_types:exactly(V) || V <- Values]).
frequency(Gs) -> proper_types:frequency(Gs).
return(Value) -> proper_types:exactly(Value).
default(Value, G) -> proper_types:oneof([proper_types:exactly(Value), G]).
weighted_default(A, B) -> proper_types:frequency([A, B]).
non_empty(G) -> proper_types:non_empty(G).
noshrink(G) -> proper_types:noshrink(G).
resize(Size, G) -> proper_types:resize(Size, G).
utf8() -> bind(list(choose($a, $z)), fun unicode:characters_to_binary/1).
map(K, V) -> bind(list({K, V}), fun maps:from_list/1).

%% ?LET, ?SUCHTHAT, ?SIZED, ?LAZY, ?LETSHRINK
bind(G, Fun) -> proper_types:bind(G, Fun, false).
letshrink(G, Fun) -> proper_types:bind(G, Fun, true).
suchthat(G, Condition) -> proper_types:add_constraint(G, Condition, true).
suchthat(G, Condition, _) -> suchthat(G, Condition).
sized(Fun) -> proper_types:sized(Fun).
lazy(Fun) -> proper_types:bind(ok, fun(ok) -> Fun() end, false).
