%% Models of state machines, in the three forms in which modules write them, behind one interface.
%%
%%   statem   initial_state/0, command/1, precondition/2, next_state/3, postcondition/3 (PropEr,
%%            and QuickCheck's eqc_statem as it was first)
%%   grouped  per command c: c/N itself, c_args/1, c_pre/1,2, c_next/3, c_post/3 (eqc_statem)
%%   fsm      initial_state/0, initial_state_data/0, state/1, precondition/4, next_state_data/5,
%%            postcondition/5, weight/3 (proper_fsm)
%%
%% A call is {call, Module, Function, Arguments} in all of them. The state of an fsm is
%% {Name, Data}, for which its callbacks say where a call leads.
-module(fermata_statem).
-export([kind/1, missing/1, initial/1, command/2, precondition/3, next_state/4, postcondition/4,
         weights/2]).

-define(STATEM, [{initial_state, 0}, {command, 1}, {precondition, 2}, {next_state, 3},
                 {postcondition, 3}]).
-define(FSM, [{initial_state, 0}, {initial_state_data, 0}, {precondition, 4}, {next_state_data, 5},
              {postcondition, 5}]).

%% statem, grouped, fsm or none. A statem with properties needs no initial_state/0: they may give
%% commands/2 the state that is the first.
kind(Module) ->
    Exports = Module:module_info(exports),
    case {?STATEM -- Exports, ?FSM -- Exports, lists:member({initial_state, 0}, Exports)} of
        {[], _, _} -> statem;
        {[{initial_state, 0}], _, _} ->
            case [F || {F, 0} <- Exports, lists:prefix("prop_", atom_to_list(F))] of
                [] -> none;
                _ -> statem
            end;
        {_, [], _} -> fsm;
        {_, _, true} -> case commands(Module) of [] -> none; _ -> grouped end;
        _ -> none
    end.

%% The first callback that a module of no kind would need.
missing(Module) -> hd(?STATEM -- Module:module_info(exports)).

initial(Module) ->
    case kind(Module) of
        fsm -> {Module:initial_state(), Module:initial_state_data()};
        _ -> Module:initial_state()
    end.

%% A generator of calls.
command(Module, State) ->
    case kind(Module) of
        statem -> Module:command(State);
        grouped -> proper_types:frequency(grouped(Module, State));
        fsm -> proper_types:frequency([{weight(Module, State, T), Call}
                                       || {_, Call} = T <- transitions(Module, State)])
    end.

precondition(Module, State, Call) ->
    case kind(Module) of
        statem -> Module:precondition(State, Call);
        grouped -> is_allowed(Module, State, Call);
        fsm -> targets(Module, State, Call) =/= []
    end.

next_state(Module, State, Value, Call) ->
    case kind(Module) of
        statem -> Module:next_state(State, Value, Call);
        grouped ->
            {call, _, F, Args} = Call,
            optional(Module, F, "_next", [State, Value, Args], State);
        fsm ->
            {From, Data} = State,
            To = target(Module, State, Call),
            {To, Module:next_state_data(From, To, Data, Value, Call)}
    end.

postcondition(Module, State, Call, Value) ->
    case kind(Module) of
        statem -> Module:postcondition(State, Call, Value);
        grouped -> % whatever is not true says what is wrong
            {call, _, F, Args} = Call,
            optional(Module, F, "_post", [State, Args, Value], true) =:= true;
        fsm ->
            {From, Data} = State,
            Module:postcondition(From, target(Module, State, Call), Data, Call, Value)
    end.

%% fun(Call) -> Weight if the module weighs calls that are generated, or none.
weights(Module, State) ->
    case kind(Module) =:= statem andalso erlang:function_exported(Module, weight, 2) of
        true -> fun({call, _, F, _}) -> Module:weight(State, F) end;
        false -> none
    end.

%% ---- grouped ----

%% The commands: every c that has c_args/1 and is a function of the module.
commands(Module) ->
    Exports = Module:module_info(exports),
    Names = [atom_to_list(F) || {F, 1} <- Exports],
    Bases = [lists:sublist(N, length(N) - length("_args")) || N <- Names, lists:suffix("_args", N)],
    lists:sort([F || Base <- Bases, {F, _} <- Exports, atom_to_list(F) =:= Base]).

grouped(Module, State) ->
    [{weight(Module, State, F), {call, Module, F, Module:(name(F, "_args"))(State)}}
     || F <- lists:usort(commands(Module)), optional(Module, F, "_pre", [State], true)].

is_allowed(Module, State, {call, _, F, Args}) ->
    optional(Module, F, "_pre", [State], true) andalso
        optional(Module, F, "_pre", [State, Args], true) andalso
        optional(Module, F, "_dynamicpre", [State, Args], true).

optional(Module, F, Ending, Args, Default) ->
    Name = name(F, Ending),
    case erlang:function_exported(Module, Name, length(Args)) of
        true -> apply(Module, Name, Args);
        false -> Default
    end.

name(F, Ending) -> list_to_atom(atom_to_list(F) ++ Ending).

%% ---- fsm ----

%% [{Target, Call}] where a Target of history is the state itself.
transitions(Module, {Name, Data}) ->
    All = case Name of
        _ when is_atom(Name) -> Module:Name(Data);
        _ -> apply(Module, element(1, Name), tl(tuple_to_list(Name)) ++ [Data])
    end,
    [{case To of history -> Name; _ -> To end, Call} || {To, Call} <- All].

%% Where the call may lead: transitions of its function that its precondition allows.
targets(Module, {From, Data} = State, {call, M, F, Args} = Call) ->
    lists:usort([To || {To, {call, M1, F1, Args1}} <- transitions(Module, State),
                       M1 =:= M, F1 =:= F, length(Args1) =:= length(Args),
                       Module:precondition(From, To, Data, Call)]).

target(Module, State, Call) ->
    case targets(Module, State, Call) of
        [To] -> To;
        [] -> error({no_transition, State, Call});
        Several -> error({several_transitions, State, Call, Several})
    end.

%% ---- weights ----

weight(Module, {From, _}, {To, Call}) ->
    case erlang:function_exported(Module, weight, 3) of
        true -> Module:weight(From, To, Call);
        false -> 1
    end;
weight(Module, State, F) when is_atom(F) ->
    case erlang:function_exported(Module, weight, 2) of
        true -> Module:weight(State, F);
        false -> 1
    end.
