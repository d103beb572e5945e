%% Lists the cases of a suite, and runs one of them with its set-up: for tests/erlang/suites.
-module(suite_case).
-export([list/1, run/3, run_all/4, run_words/3]).

%% {group, Name} stands for the cases of the group.
list(Suite) ->
    Groups = try Suite:groups() catch error:undef -> [] end,
    Cases = lists:usort(lists:flatten([expand(Item, Groups) || Item <- Suite:all()])),
    [io:format("case: ~s~n", [Case]) || Case <- Cases].

expand({group, Name}, Groups) -> group(lists:keyfind(Name, 1, Groups), Groups);
expand({group, Name, _}, Groups) -> group(lists:keyfind(Name, 1, Groups), Groups);
expand({testcase, Case, _}, _) -> Case;
expand({_, _, _} = Group, Groups) -> group(Group, Groups);
expand(Case, _) when is_atom(Case) -> Case;
expand(_, _) -> [].

group({_, _, Items}, Groups) -> [expand(Item, Groups) || Item <- Items];
group({_, Items}, Groups) -> [expand(Item, Groups) || Item <- Items];
group(_, _) -> [].

%% On our VM the arguments are texts.
run_words(Suite, Case, Data) -> run(word(Suite), word(Case), plain(Data)).

word(Word) when is_atom(Word) -> Word;
word(Text) -> list_to_atom(string:trim(Text, both, "'")).

plain(Text) -> string:trim(Text, both, "\"").

%% Each case in turn, with a limit of time, in a folder of its own: it does not see the files of
%% the case before, as on our VM.
run_all(Suite, Cases, Data, Seconds) ->
    Root = filename:absname("cases"),
    _ = file:make_dir(Root), % a machine before this one may have made it
    [begin
         Folder = filename:join(Root, Case),
         ok = file:make_dir(Folder),
         ok = file:set_cwd(Folder),
         {Pid, Ref} = spawn_monitor(fun() -> exit({result, attempt(Suite, Case, Data)}) end),
         Result = receive {'DOWN', Ref, process, Pid, {result, Value}} -> Value;
                          {'DOWN', Ref, process, Pid, Reason} -> {exit, Reason}
                  after Seconds * 1000 -> exit(Pid, kill), time_is_over
                  end,
         io:format("~ncase: ~s is ~0p~n", [Case, Result])
     end || Case <- Cases].

run(Suite, Case, Data) ->
    {Pid, Ref} = spawn_monitor(fun() -> exit({result, attempt(Suite, Case, Data)}) end),
    Result = receive {'DOWN', Ref, process, Pid, Reason} -> Reason end,
    Word = case Result of
               {result, Other} -> Other;
               Other -> {exit, Other}
           end,
    io:format("~ncase: ~0p~n", [Word]),
    Word.

%% function_exported/3 does not load a module, so the suite is loaded first.
attempt(Suite, Case, Data) ->
    {module, Suite} = code:ensure_loaded(Suite),
    Private = filename:absname("private"),
    _ = file:make_dir(Private),
    stand_in_for_collector(),
    Config = [{data_dir, Data ++ "/"}, {priv_dir, Private ++ "/"}, {watchdog, self()}],
    try
        C1 = set_up(Suite, init_per_suite, [Config], Config),
        C2 = set_up(Suite, init_per_testcase, [Case, C1], C1),
        Result = Suite:Case(C2),
        _ = set_up(Suite, end_per_testcase, [Case, C2], C2),
        verdict(Result)
    catch
        throw:{skip, _} = Skip -> Skip;
        throw:{skipped, Why} -> {skip, Why};
        Class:Reason:Stack -> {Class, Reason, lists:sublist(Stack, 2)}
    end.

%% Cases wait until the process that frees literals of unloaded code is idle. Our VM has no such
%% process: one that always says so stands in for it, where the cases remember it.
stand_in_for_collector() ->
    Collector = {initial_call, {erts_literal_area_collector, start, 0}},
    lists:any(fun(P) -> process_info(P, initial_call) =:= Collector end, processes()) orelse
        put('__literal_area_collector__', spawn(fun is_idle/0)).

is_idle() ->
    receive {get_status, Ref, To} -> To ! {Ref, idle}, is_idle() end.

set_up(Suite, Function, Arguments, Config) ->
    case erlang:function_exported(Suite, Function, length(Arguments)) of
        false -> Config;
        true ->
            case apply(Suite, Function, Arguments) of
                Known when is_list(Known) -> Known;
                {skip, _} = Skip -> throw(Skip);
                {skipped, _} = Skip -> throw(Skip);
                _ -> Config
            end
    end.

verdict({skip, _} = Skip) -> Skip;
verdict({skipped, Why}) -> {skip, Why};
verdict({fail, _} = Fail) -> Fail;
verdict(_) -> ok.
