%% A counter in a server, whose model is right: every test passes. It also has all that is
%% optional: weights, a set-up, and a clean-up that gets what the set-up gave.
-module(counter).
-export([initial_state/0, command/1, precondition/2, next_state/3, postcondition/3, weight/2,
         setup/0, cleanup/1]).
-export([start/0, add/2, read/1, init/1]).

initial_state() -> [].

%% Any number of counters, each known by what start/0 gave.
command(S) ->
    proper_types:oneof([{call, ?MODULE, start, []}]
                       ++ [{call, ?MODULE, add, [pick(S), proper_types:integer(1, 9)]} || S =/= []]
                       ++ [{call, ?MODULE, read, [pick(S)]} || S =/= []]).

pick(S) -> proper_types:elements([C || {C, _} <- S]).

weight(_, start) -> 1;
weight(_, _) -> 5.

precondition(S, {call, _, start, []}) -> length(S) < 3;
precondition(S, {call, _, _, [C | _]}) -> lists:keymember(C, 1, S).

next_state(S, C, {call, _, start, []}) -> lists:sort([{C, 0} | S]);
next_state(S, _, {call, _, add, [C, N]}) ->
    {C, Old} = lists:keyfind(C, 1, S),
    lists:keyreplace(C, 1, S, {C, Old + N});
next_state(S, _, _) -> S.

postcondition(_, {call, _, start, []}, C) -> is_pid(C);
postcondition(S, {call, _, add, [C, N]}, Result) -> {C, Result - N} =:= lists:keyfind(C, 1, S);
postcondition(S, {call, _, read, [C]}, Result) -> {C, Result} =:= lists:keyfind(C, 1, S).

setup() -> ets:new(?MODULE, [named_table]).
cleanup(?MODULE) -> true = ets:delete(?MODULE).

start() -> spawn(?MODULE, init, [0]).

add(C, N) -> ask(C, {add, N}).
read(C) -> ask(C, read).

ask(C, What) ->
    Ref = make_ref(),
    C ! {self(), Ref, What},
    receive {Ref, Answer} -> Answer end.

init(N) ->
    receive
        {From, Ref, {add, M}} -> From ! {Ref, N + M}, init(N + M);
        {From, Ref, read} -> From ! {Ref, N}, init(N)
    end.
