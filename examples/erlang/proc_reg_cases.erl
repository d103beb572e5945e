%% Generated tests of the registry in proc_reg.erl, as section 4 of the PULSE procrastination paper
%% has them: some commands in sequence, then two sequences in parallel; a test fails if no order
%% of the parallel commands explains all results.
%%
%% Each case_N/0 is generated from the seed N, in such a way that it can fail: the parallel parts
%% both register one dead process under one name. fixed_N/0 runs the same commands against the
%% fixed registry.
%%
%% expect: case_1 => bug,abnormal-exit
%% expect: case_2 => bug,abnormal-exit
%% expect: case_3 => bug,abnormal-exit
%% expect: case_17 => bug,abnormal-exit
%% expect: case_48 => bug,abnormal-exit
%% expect: fixed_1 => proved
%% expect: fixed_2 => proved
-module(proc_reg_cases).
-export([case_1/0, case_2/0, case_3/0, case_4/0, case_5/0, case_6/0, case_7/0, case_8/0, case_9/0,
         case_10/0, case_11/0, case_12/0, case_13/0, case_14/0, case_15/0, case_16/0, case_17/0,
         case_18/0, case_19/0, case_20/0, case_21/0, case_22/0, case_23/0, case_24/0, case_25/0,
         case_26/0, case_27/0, case_28/0, case_29/0, case_30/0, case_31/0, case_32/0, case_33/0,
         case_34/0, case_35/0, case_36/0, case_37/0, case_38/0, case_39/0, case_40/0, case_41/0,
         case_42/0, case_43/0, case_44/0, case_45/0, case_46/0, case_47/0, case_48/0]).
-export([fixed_1/0, fixed_2/0]).

case_1() -> check(racy, 1).
case_2() -> check(racy, 2).
case_3() -> check(racy, 3).
case_4() -> check(racy, 4).
case_5() -> check(racy, 5).
case_6() -> check(racy, 6).
case_7() -> check(racy, 7).
case_8() -> check(racy, 8).
case_9() -> check(racy, 9).
case_10() -> check(racy, 10).
case_11() -> check(racy, 11).
case_12() -> check(racy, 12).
case_13() -> check(racy, 13).
case_14() -> check(racy, 14).
case_15() -> check(racy, 15).
case_16() -> check(racy, 16).
case_17() -> check(racy, 17).
case_18() -> check(racy, 18).
case_19() -> check(racy, 19).
case_20() -> check(racy, 20).
case_21() -> check(racy, 21).
case_22() -> check(racy, 22).
case_23() -> check(racy, 23).
case_24() -> check(racy, 24).
case_25() -> check(racy, 25).
case_26() -> check(racy, 26).
case_27() -> check(racy, 27).
case_28() -> check(racy, 28).
case_29() -> check(racy, 29).
case_30() -> check(racy, 30).
case_31() -> check(racy, 31).
case_32() -> check(racy, 32).
case_33() -> check(racy, 33).
case_34() -> check(racy, 34).
case_35() -> check(racy, 35).
case_36() -> check(racy, 36).
case_37() -> check(racy, 37).
case_38() -> check(racy, 38).
case_39() -> check(racy, 39).
case_40() -> check(racy, 40).
case_41() -> check(racy, 41).
case_42() -> check(racy, 42).
case_43() -> check(racy, 43).
case_44() -> check(racy, 44).
case_45() -> check(racy, 45).
case_46() -> check(racy, 46).
case_47() -> check(racy, 47).
case_48() -> check(racy, 48).

fixed_1() -> check(fixed, 1).
fixed_2() -> check(fixed, 2).

-define(PIDS, [p1, p2, p3]).
-define(NAMES, [a, b, c]).

%% A model state: the live processes, and name => live process.
-record(model, {live = ?PIDS, names = #{}}).

check(Kind, Seed) ->
    {Prefix, Left, Right} = generate(Seed),
    proc_reg:start(Kind),
    Pids = maps:from_list([{P, spawn(fun() -> receive stop -> ok end end)} || P <- ?PIDS]),
    First = [execute(C, Pids) || C <- Prefix],
    {A, B} = at_once(fun() -> [execute(C, Pids) || C <- Left] end,
                     fun() -> [execute(C, Pids) || C <- Right] end),
    [exit(P, kill) || P <- maps:values(Pids)],
    proc_reg:stop(),
    Results = {lists:zip(Prefix, First), lists:zip(Left, A), lists:zip(Right, B)},
    {explained, _} = {explain(Results), Results}.

at_once(Left, Right) ->
    {_, L} = spawn_monitor(fun() -> exit({results, Left()}) end),
    {_, R} = spawn_monitor(fun() -> exit({results, Right()}) end),
    receive {'DOWN', L, process, _, A} -> ok end,
    receive {'DOWN', R, process, _, B} -> ok end,
    {{results, As}, {results, Bs}} = {A, B},
    {As, Bs}.

execute({kill, P}, Pids) ->
    Pid = maps:get(P, Pids),
    Monitor = monitor(process, Pid),
    exit(Pid, kill),
    receive {'DOWN', Monitor, process, Pid, _} -> ok end;
execute({reg, Name, P}, Pids) ->
    try proc_reg:reg(Name, maps:get(P, Pids)) catch error:badarg -> badarg end;
execute({unreg, Name}, _) ->
    try proc_reg:unreg(Name) catch error:badarg -> badarg end;
execute({where, Name}, Pids) ->
    Found = proc_reg:where(Name),
    hd([P || {P, Pid} <- maps:to_list(Pids), Pid =:= Found] ++ [undefined]).

%% Is there an order of the parallel commands in which the model gives the same results?
explain({Prefix, Left, Right}) ->
    case follow(Prefix, #model{}) of
        wrong -> wrong_in_sequence;
        Model -> interleave(Left, Right, Model)
    end.

follow([], Model) -> Model;
follow([{Command, Result} | Rest], Model) ->
    case model(Command, Model) of
        {Result, Next} -> follow(Rest, Next);
        _ -> wrong
    end.

interleave([], [], _) -> explained;
interleave(Left, Right, Model) ->
    case try_first(Left, Right, Model) of
        explained -> explained;
        no -> try_first(Right, Left, Model)
    end.

try_first([{Command, Result} | Rest], Other, Model) ->
    case model(Command, Model) of
        {Result, Next} -> interleave(Rest, Other, Next);
        _ -> no
    end;
try_first([], _, _) -> no.

model({kill, P}, M = #model{live = Live, names = Names}) ->
    {ok, M#model{live = Live -- [P], names = maps:filter(fun(_, Q) -> Q =/= P end, Names)}};
model({reg, Name, _}, M = #model{names = Names}) when is_map_key(Name, Names) ->
    {badarg, M};
model({reg, Name, P}, M = #model{live = Live, names = Names}) ->
    case lists:member(P, Live) of
        true -> {true, M#model{names = Names#{Name => P}}};
        false -> {true, M}
    end;
model({unreg, Name}, M = #model{names = Names}) when is_map_key(Name, Names) ->
    {true, M#model{names = maps:remove(Name, Names)}};
model({unreg, _}, M) ->
    {badarg, M};
model({where, Name}, M = #model{names = Names}) ->
    {maps:get(Name, Names, undefined), M}.

%% Some commands, one process killed, and then its registration from both sides under a name that
%% no live process has, among commands on other names.
generate(Seed) ->
    rand:seed(exsss, Seed),
    Before = commands(rand:uniform(4) - 1, ?NAMES),
    Dead = pick(?PIDS),
    Prefix = Before ++ [{kill, Dead}],
    #model{names = Names} = lists:foldl(fun(C, M) -> element(2, model(C, M)) end, #model{}, Prefix),
    Name = pick([N || N <- ?NAMES, not is_map_key(N, Names)]),
    Others = ?NAMES -- [Name],
    {Prefix, around({reg, Name, Dead}, Others), around({reg, Name, Dead}, Others)}.

around(Command, Names) ->
    commands(rand:uniform(2) - 1, Names) ++ [Command] ++ commands(rand:uniform(2) - 1, Names).

commands(Count, Names) ->
    [command(rand:uniform(3), pick(Names)) || _ <- lists:seq(1, Count)].

command(1, Name) -> {reg, Name, pick(?PIDS)};
command(2, Name) -> {unreg, Name};
command(3, Name) -> {where, Name}.

pick(List) -> lists:nth(rand:uniform(length(List)), List).
