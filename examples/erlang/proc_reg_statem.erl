%% The process registry of proc_reg.erl as a state machine for PropEr: processes are spawned and
%% killed, registered and unregistered, and looked up, all with equal probability (section 4 of the
%% PULSE procrastination paper).
%%
%%     fermata prop -pa EBIN proc_reg_statem
%%
%% The model knows only live processes: to register a dead one is to return true and to do
%% nothing. What fails is that two calls register one dead process under one name.
%%
%% prop: proc_reg_statem => bug,not-linearizable
-module(proc_reg_statem).
-export([initial_state/0, command/1, precondition/2, next_state/3, postcondition/3, setup/0]).
-export([spawn/0, kill/1, reg/2, unreg/1, where/1]).

%% live and dead: processes; names: those of live ones.
-record(state, {live = [], dead = [], names = []}).

-define(NAMES, [a, b, c, d]).

initial_state() -> #state{}.

command(S) ->
    Pid = proper_types:elements(S#state.live ++ S#state.dead),
    Name = proper_types:elements(?NAMES),
    proper_types:oneof(
      [{call, ?MODULE, spawn, []}, {call, ?MODULE, unreg, [Name]}, {call, ?MODULE, where, [Name]}]
      ++ [{call, ?MODULE, kill, [Pid]} || has_pids(S)]
      ++ [{call, ?MODULE, reg, [Name, Pid]} || has_pids(S)]).

has_pids(S) -> S#state.live ++ S#state.dead =/= [].

precondition(S, {call, _, kill, [Pid]}) -> is_known(S, Pid);
precondition(S, {call, _, reg, [_, Pid]}) -> is_known(S, Pid);
precondition(_, _) -> true.

is_known(S, Pid) -> lists:member(Pid, S#state.live ++ S#state.dead).

next_state(S, Pid, {call, _, spawn, []}) ->
    S#state{live = [Pid | S#state.live]};
next_state(S, _, {call, _, kill, [Pid]}) ->
    S#state{live = S#state.live -- [Pid],
            dead = lists:usort([Pid | S#state.dead]),
            names = [N || {_, P} = N <- S#state.names, P =/= Pid]};
next_state(S, _, {call, _, reg, [Name, Pid]}) ->
    case lists:member(Pid, S#state.live) andalso not lists:keymember(Name, 1, S#state.names) of
        true -> S#state{names = lists:sort([{Name, Pid} | S#state.names])};
        false -> S
    end;
next_state(S, _, {call, _, unreg, [Name]}) ->
    S#state{names = lists:keydelete(Name, 1, S#state.names)};
next_state(S, _, _) ->
    S.

postcondition(S, {call, _, reg, [Name, _]}, Result) ->
    Result =:= case lists:keymember(Name, 1, S#state.names) of
                   true -> badarg;
                   false -> true
               end;
postcondition(S, {call, _, unreg, [Name]}, Result) ->
    Result =:= case lists:keymember(Name, 1, S#state.names) of
                   true -> true;
                   false -> badarg
               end;
postcondition(S, {call, _, where, [Name]}, Result) ->
    Result =:= proplists:get_value(Name, S#state.names);
postcondition(_, _, _) ->
    true.

setup() -> proc_reg:start(racy).

%% The calls.
spawn() -> spawn(fun() -> receive stop -> ok end end).

kill(Pid) ->
    Monitor = monitor(process, Pid),
    exit(Pid, kill),
    receive {'DOWN', Monitor, process, Pid, _} -> ok end.

reg(Name, Pid) -> try proc_reg:reg(Name, Pid) catch error:badarg -> badarg end.

unreg(Name) -> try proc_reg:unreg(Name) catch error:badarg -> badarg end.

where(Name) -> proc_reg:where(Name).
