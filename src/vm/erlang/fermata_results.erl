%% For a report of `fermata prop`: which results the model allows instead of one that it refuses. A postcondition
%% can only be asked, so some are tried: the results of the other calls, the parts of the state and of the
%% arguments, sums of the numbers there, and words that are common.
-module(fermata_results).
-export([allowed/4]).

-define(ALLOWED, 4). % one more than a report names
-define(CANDIDATES, 400).
-define(SOME, 12).

%% Results = [Refused | Others]. At most ?ALLOWED.
allowed(Module, State, Call, [Wrong | _] = Results) ->
    try_each(Module, State, Call, candidates(Results, [State, element(4, Call)]) -- [Wrong], ?ALLOWED).

try_each(_, _, _, _, 0) -> [];
try_each(_, _, _, [], _) -> [];
try_each(Module, State, Call, [Value | Rest], N) ->
    case is_allowed(Module, State, Call, Value) of
        true -> [Value | try_each(Module, State, Call, Rest, N - 1)];
        false -> try_each(Module, State, Call, Rest, N)
    end.

is_allowed(Module, State, Call, Value) ->
    try fermata_statem:postcondition(Module, State, Call, Value) =:= true
    catch _:_ -> false
    end.

candidates(Results, Known) ->
    Parts = parts(Known, 3),
    Numbers = lists:usort([N || N <- [0 | parts([Results | Known], 5)], is_integer(N)]),
    Some = lists:sublist(Numbers, ?SOME),
    Sums = lists:usort([A + B || A <- Some, B <- [-1, 1 | Some]] ++ [A - B || A <- Some, B <- Some]),
    Words = [ok, true, false, error, undefined, none, empty, full, not_found, badarg, [], {ok, ok}],
    Plain = Words ++ Numbers ++ Sums ++ Parts,
    Tagged = [{Tag, Part} || Tag <- [ok | [element(1, R) || R <- Results, tuple_size(R) =:= 2]],
                             Part <- lists:sublist(Numbers ++ Parts, ?SOME)],
    lists:sublist(unique(Results ++ Plain ++ Tagged, #{}), ?CANDIDATES).

%% The terms inside of a list of terms, some levels deep, the outer ones first.
parts(_, 0) -> [];
parts(Terms, Depth) ->
    Inner = lists:append([inside(Term) || Term <- Terms]),
    Inner ++ case Inner of [] -> []; _ -> parts(lists:sublist(Inner, ?CANDIDATES), Depth - 1) end.

inside(Term) when is_tuple(Term) -> tuple_to_list(Term);
inside(Map) when is_map(Map) -> maps:keys(Map) ++ maps:values(Map);
inside([_ | _] = List) when length(List) > 0 -> List; % not of an improper one
inside(_) -> [].

unique([], _) -> [];
unique([Value | Rest], Seen) when is_map_key(Value, Seen) -> unique(Rest, Seen);
unique([Value | Rest], Seen) -> [Value | unique(Rest, Seen#{Value => true})].
