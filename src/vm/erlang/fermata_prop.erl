%% The part of `fermata prop` that runs on the VM: PropEr's callbacks and generators, called by
%% prop/beam_model.c and prop/beam_plain.c. Exceptions of user code are caught here and returned as
%% {failed, Text}, where Text is a line to print.
%%
%% A state is {State, Variables}: the state of the model and, while results are not known, the
%% calls that will have a result. A command is {Imm, Call, Text, Variables}: the command as its
%% generator made it (the shrinkers need that), as PropEr's callbacks take it, as source text, and
%% the calls whose results it uses.
%%
%% A parallel test runs in two parts. start/3 (not explored) spawns a host, which runs the user's
%% set-up, makes the calls of the prefix, and then waits, so that its tables and linked processes
%% stay. branches/2 is the process under exploration: it spawns one process per branch and waits for
%% them. The result of each call is passed to the tool by fermata:note/1, which no process can see.
%% finish/1 (not explored) lets the host go on to the user's clean-up.
%%
%% The set-up is setup/0 of the module; or else a property of the usual form
%%
%%     ?FORALL(Cmds, commands(?MODULE),
%%             begin start(), … = run_commands(?MODULE, Cmds), stop(), … end)
%%
%% which is evaluated as it is (fermata_property), except that commands and run_commands (and their
%% parallel variants) are replaced by the functions of the same names here: commands generates the
%% commands of the test, and the test runs where the body calls run_commands. So neither macros nor
%% generators around them matter. A test that the property discards is not run (accepts/3). A
%% ?FORALL around the commands is generated a few times: each value is another set-up, with the
%% initial state that commands/2 is given then. The module fermata_statem knows the callbacks.
-module(fermata_prop).
-export([look/1, mark/3, runs/3, is_sequential/2, accepts/3, initial/2, command/5, step/4, judge/3, allowed/4, simplify/3, rebind/4]).
-export([start/3, branches/2, branch/2, ended/1, stuck/0, finish/1]).
-export([commands/1, commands/2, parallel_commands/1, parallel_commands/2, more_commands/2,
         run_commands/2, run_commands/3, run_parallel_commands/2, run_parallel_commands/3]).
-export([value_text/1, how_text/1, source/3]).
-export([instance/4, evaluate/3, smaller/4, instance_text/1]).

-define(HELD, '$fermata_test').
-define(TEST, '$fermata_commands').
-define(NO_FORALL, '$fermata_none').
-define(PATIENCE_MS, 60000). % of virtual time: only a run that is stuck takes it
-define(MESSAGE_MAX, 110). % characters
-define(SIZE, 10).
-define(TRIES, 20).

%% ---- the contents of a module ----

%% {yes, {statem, How}}: a state machine and its set-up, which start/3 needs.
%% {yes, {search, Properties}}: a state machine, whose set-up is in one of the properties.
%% {yes, {plain, Properties}}: properties to be run unchanged. An fsm is tested with parallel calls
%% only if it has a setup/0: PropEr runs it in one process.
look(Module) ->
    Exports = Module:module_info(exports),
    Properties = lists:sort([F || {F, 0} <- Exports, lists:prefix("prop_", atom_to_list(F))]),
    HasSetup = [{setup, 0}, {initial_state, 0}] -- Exports =:= [],
    case fermata_statem:kind(Module) of
        none when Properties =:= [] ->
            {F, A} = fermata_statem:missing(Module),
            {failed, line("~s has no ~s/~w and no prop_ function", [Module, F, A])};
        none -> {yes, {plain, Properties}};
        _ when HasSetup ->
            CleanUp = [F || {cleanup, 1} = F <- Exports] ++ [F || {cleanup, 0} = F <- Exports],
            {yes, {statem, {setup, CleanUp}}};
        _ when Properties =:= [] -> {yes, {statem, none}};
        fsm -> {yes, {plain, Properties}};
        _ -> {yes, {search, Properties}}
    end.

%% {yes, {Rank, How}} if the property is about commands, with the Nth values of the ?FORALLs around
%% them; no if these values are discarded; {no, Why} otherwise. The lowest rank is the best set-up: it is for several callers.
mark(Module, P, N) ->
    Answer = isolated(fun(Asker) ->
        put(?HELD, {mark, Asker}),
        run_property(Module, P, [], {N, 7 * N, 77})
    end, Module, P),
    case Answer of
        {told, {Of, Which, Outer, Initial}} ->
            {yes, {rank(Of =:= Module, P, Which, Outer),
                   {property, P, Which =:= parallel, Outer, Initial}}};
        {failed, Text} -> {no, Text};
        {ended, discarded} -> no;
        _ -> {no, line("~s:~s/0 is not about commands", [Module, P])}
    end.

rank(false, _, _, _) -> 9; % commands of another module
rank(true, P, Which, [_ | _]) -> 3 + rank(true, P, Which, []);
rank(true, _, parallel, []) -> 1;
rank(true, P, sequential, []) ->
    case string:find(atom_to_list(P), "parallel") of nomatch -> 3; _ -> 2 end.

%% Does the property of a state machine, run unchanged, make its calls one after the other?
is_sequential(Module, P) ->
    case fermata_statem:kind(Module) of
        none -> no;
        fsm -> {yes, ok};
        _ ->
            case mark(Module, P, 1) of
                {yes, {_, {property, _, false, _, _}}} -> {yes, ok};
                _ -> no
            end
    end.

%% Does the property run so many commands that the model allows? If it raises before, the first test will
%% report that.
runs(Module, How, Size) ->
    case accepts(Module, How, sample(Module, How, Size)) of
        no -> no;
        _ -> {yes, ok}
    end.

%% no: the property discards these commands, or for another reason does not run them.
accepts(Module, {property, P, _, Outer, _}, Test) ->
    Answer = isolated(fun(Asker) ->
        put(?HELD, {ask, Asker}),
        put(?TEST, Test),
        run_property(Module, P, Outer, {1, 7, 77})
    end, Module, P),
    case Answer of
        {told, Values} -> {yes, Values};
        {ended, _} -> no;
        Failed -> Failed
    end;
accepts(_, _, _) -> {yes, []}.

%% Some commands in prefix and branches, without parallel calls in mind.
sample(Module, How, Size) ->
    Commands = sample(Module, initial(Module, How), 1, Size),
    {Prefix, Rest} = lists:split(Size div 3, Commands),
    {A, B} = lists:split(Size div 3, Rest),
    {Prefix, [A, B]}.

sample(_, _, N, Size) when N > Size -> [];
sample(Module, {yes, State}, N, Size) ->
    case command(Module, State, ?SIZE, {N, N, N}, ?TRIES) of
        {yes, {_, Call, _, _} = Command} ->
            [{N, Call} | sample(Module, step(Module, State, N, Command), N + 1, Size)];
        _ -> sample(Module, no, N, Size)
    end;
sample(Module, _, N, Size) -> % whatever it is, it will not be made
    [{N, {call, Module, none, []}} | sample(Module, no, N + 1, Size)].

run_property(Module, P, Given, Seed) ->
    fermata_property:evaluate(fun Module:P/0, Given, ?SIZE, Seed).

%% {told, What} if the process that evaluates the property told that; {ended, Verdict}, or
%% {failed, Text} if it raises, dies or waits.
isolated(Fun, Module, P) ->
    Asker = self(),
    {Pid, Monitor} = spawn_monitor(fun() ->
        exit({?HELD, guarded(fun() -> Fun(Asker) end, "~s:~s/0", [Module, P])})
    end),
    receive
        {?HELD, Pid, What} -> {told, What};
        {'DOWN', Monitor, process, Pid, {?HELD, Text}} when is_binary(Text) -> {failed, Text};
        {'DOWN', Monitor, process, Pid, {?HELD, Verdict}} -> {ended, Verdict};
        {'DOWN', Monitor, process, Pid, Reason} ->
            {failed, line("~s:~s/0 exits with ~0p before it runs commands", [Module, P, Reason])}
    after ?PATIENCE_MS ->
        {failed, line("~s:~s/0 waits for ever before it runs commands", [Module, P])}
    end.

%% Ends the evaluation, whatever the property catches.
tell(Asker, What) ->
    Asker ! {?HELD, self(), What},
    receive ?HELD -> ok end.

%% ---- the model ----

%% Symbolic calls in a state are made as soon as the results that they use are known: here and after
%% each call of which the result is known.
initial(Module, How) ->
    guard(fun() ->
        State = case How of
            {property, _, _, _, {initial, Given}} -> Given;
            _ -> fermata_statem:initial(Module)
        end,
        {yes, {proper_symb:eval([], State), []}}
    end, "~s:initial_state/0", [Module]).

%% A command for State that its precondition allows; with weight/2, one of Tries, by weight.
command(Module, {State, _}, Size, Seed, Tries) ->
    proper:global_state_init_size_seed(Size, Seed),
    Weight = fermata_statem:weights(Module, State),
    guard(fun() ->
        case candidates(Module, State, Tries, Weight =/= none) of
            [] -> no;
            [Imm] -> {yes, command(Module, Imm)};
            Several -> {yes, command(Module, choose(Weight, Several))}
        end
    end, "~s:command/1", [Module]).

command(Module, Imm) ->
    Call = clean(Imm),
    {Imm, Call, text(Module, Call), variables(Call)}.

candidates(_, _, 0, _) -> [];
candidates(Module, State, Tries, Weighs) ->
    Imm = generate(fermata_statem:command(Module, State), "~s:command/1", [Module]),
    case allows(Module, State, is_command(Module, clean(Imm))) of
        true when Weighs -> [Imm | candidates(Module, State, Tries - 1, Weighs)];
        true -> [Imm];
        false -> candidates(Module, State, Tries - 1, Weighs)
    end.

is_command(_, {call, M, F, Args} = Call) when is_atom(M), is_atom(F), is_list(Args) -> Call;
is_command(Module, Other) ->
    throw({failed, line("~s:command/1 generates ~0p, not {call, M, F, Args}", [Module, Other])}).

generate(Type, Format, Args) ->
    case proper_gen:safe_generate(Type) of
        {ok, Imm} -> Imm;
        {error, Reason} ->
            throw({failed, line("the generator of " ++ Format ++ " fails: ~0p", Args ++ [Reason])})
    end.

choose(Weight, Candidates) ->
    Weights = [{Weight(clean(Imm)), Imm} || Imm <- Candidates],
    pick(Weights, rand:uniform() * lists:sum([W || {W, _} <- Weights])).

pick([{_, Imm}], _) -> Imm;
pick([{W, Imm} | _], At) when At < W -> Imm;
pick([{W, _} | Rest], At) -> pick(Rest, At - W).

allows(Module, State, Call) ->
    try fermata_statem:precondition(Module, State, Call) of
        Answer when is_boolean(Answer) -> Answer;
        Other -> throw({failed, line("~s:precondition/2 gives ~0p", [Module, Other])})
    catch
        Class:Reason:Stack ->
            throw({failed, line("~s:precondition/2 raises ~ts",
                                [Module, raised(Class, Reason, Stack)])})
    end.

%% The result is not known yet: {var, Var} stands for it.
step(Module, {State, Known}, Var, {_, Call, _, Used}) ->
    guard(fun() ->
        case Used -- Known =:= [] andalso allows(Module, State, Call) of
            true ->
                Next = fermata_statem:next_state(Module, State, {var, Var}, Call),
                {yes, {Next, ordsets:add_element(Var, Known)}};
            false -> no
        end
    end, "~s:next_state/3", [Module]).

%% The call as it was made and its outcome: {Call, {returned, Value} | {raised, Text}}.
judge(_, _, {_, {raised, _}}) -> no;
judge(Module, {State, _}, {Call, {returned, Value}}) ->
    try fermata_statem:postcondition(Module, State, Call, Value) of
        true ->
            guard(fun() ->
                Next = fermata_statem:next_state(Module, State, Value, Call),
                {yes, {proper_symb:eval([], Next), []}}
            end, "~s:next_state/3", [Module]);
        false -> no;
        Other -> {failed, line("~s:postcondition/3 gives ~0p", [Module, Other])}
    catch
        Class:Reason:Stack ->
            {no, line("~s:postcondition/3 raises ~ts", [Module, raised(Class, Reason, Stack)])}
    end.

%% For a report: results that the model allows instead of one that it refuses.
allowed(Module, {State, _}, {Call, {returned, Wrong}}, Outcomes) ->
    Results = [Wrong | [R || {_, {returned, R}} <- Outcomes, R =/= Wrong]],
    [{Call, {returned, Value}} || Value <- fermata_results:allowed(Module, State, Call, Results)];
allowed(_, _, _, _) -> [].

%% Simpler variants of a command, by PropEr's shrinkers for the generator it came from.
simplify(Module, {State, _}, {Imm, Call, _, _}) ->
    proper:global_state_init_size_seed(10, {1, 2, 3}),
    guard(fun() ->
        Type = proper_types:cook_outer(fermata_statem:command(Module, State)),
        Commands = [command(Module, I) || I <- shrinkings(Imm, Type, init, 40)],
        {yes, [C || {_, Other, _, _} = C <- Commands, is_variant(Other, Call)]}
    end, "~s:command/1", [Module]).

%% The command with the result of another call.
rebind(Module, {Imm, _, _, _}, Var, Other) -> {yes, command(Module, rename(Imm, #{Var => Other}))}.

%% Another call of the same function.
is_variant(Call, Call) -> false;
is_variant({call, M, F, _}, {call, M, F, _}) -> true;
is_variant(_, _) -> false.

shrinkings(_, _, done, _) -> [];
shrinkings(_, _, _, 0) -> [];
shrinkings(Imm, Type, State, Rounds) ->
    case proper_shrink:shrink(Imm, Type, State) of
        {[], done} -> [];
        {Some, Next} -> Some ++ shrinkings(Imm, Type, Next, Rounds - 1)
    end.

%% ---- running a test ----

%% Test = {Prefix, Branches}, lists of {Var, Call}. {held, Host, Env} once the prefix is done.
start(Module, How, Test) ->
    Starter = self(),
    {Host, Monitor} = spawn_monitor(fun() -> host(Module, How, Test, Starter) end),
    receive
        {?HELD, Host, Env} -> demonitor(Monitor, [flush]), {held, Host, Env};
        {'DOWN', Monitor, process, Host, {?HELD, Text}} -> {failed, Text};
        {'DOWN', Monitor, process, Host, Reason} -> {ended, Reason}
    end.

host(Module, How, Test, Starter) ->
    put(?HELD, {run, Starter}),
    put(?TEST, Test),
    case How of
        none -> hold();
        {setup, CleanUp} ->
            Made = guarded(fun() -> Module:setup() end, "~s:setup/0", [Module]),
            hold(),
            clean_up(Module, CleanUp, Made);
        {property, P, _, Outer, _} ->
            guarded(fun() -> run_property(Module, P, Outer, {1, 7, 77}) end, "~s:~s/0",
                    [Module, P]),
            get(?HELD) =:= held orelse
                exit({?HELD, line("~s:~s/0 does not run its commands", [Module, P])})
    end.

clean_up(Module, [{cleanup, 1} | _], Made) ->
    guarded(fun() -> Module:cleanup(Made) end, "~s:cleanup/1", [Module]);
clean_up(Module, [{cleanup, 0}], _) ->
    guarded(fun() -> Module:cleanup() end, "~s:cleanup/0", [Module]);
clean_up(_, [], _) -> ok.

%% In the host: runs the prefix, then waits until the branches are done.
hold() ->
    case put(?HELD, held) of
        {run, Starter} ->
            {Prefix, _} = get(?TEST),
            Starter ! {?HELD, self(), make(Prefix, [])},
            receive {?HELD, finish} -> ok end;
        {ask, Asker} -> tell(Asker, fermata_property:values());
        held -> ok % the body runs its commands twice: only the first time counts
    end.

branches(Branches, Env) ->
    Monitors = [element(2, spawn_monitor(?MODULE, branch, [Calls, Env])) || Calls <- Branches],
    Reasons = [receive {'DOWN', Monitor, process, _, Reason} -> Reason end || Monitor <- Monitors],
    [exit({branch_died, Reason}) || Reason <- Reasons, Reason =/= normal],
    ok.

branch(Calls, Env) -> make(Calls, Env).

%% Instead of branches/2: the outcome of the prefix is the result of the test.
ended(Reason) -> exit({prefix_died, Reason}).
stuck() -> receive ?HELD -> ok end.

make([], Env) -> Env;
make([{Var, {call, M, F, Args}} | Rest], Env) ->
    Real = {call, M, F, proper_symb:eval(Env, Args)},
    fermata:note(Var),
    Outcome = make(Real),
    fermata:note({Var, {Real, Outcome}}),
    make(Rest, [{Var, element(2, Outcome)} | Env]).

%% A call that raises does not end the test: no order of the calls will explain its outcome.
make({call, M, F, Args}) ->
    try {returned, apply(M, F, Args)}
    catch Class:Reason:Stack -> {raised, raised(Class, Reason, Stack)}
    end.

%% Lets the host do the user's clean-up; ok, or a line that says how it failed.
finish(Host) ->
    Monitor = monitor(process, Host),
    Host ! {?HELD, finish},
    receive
        {'DOWN', Monitor, process, Host, normal} -> ok;
        {'DOWN', Monitor, process, Host, {?HELD, Text}} -> Text;
        {'DOWN', Monitor, process, Host, Reason} -> line("the clean-up exits with ~0p", [Reason])
    end.

%% ---- replacements for functions of proper_statem, when the set-up is a property ----

commands(Module) -> commands(Module, sequential, default).
commands(Module, Initial) -> commands(Module, sequential, {initial, Initial}).
parallel_commands(Module) -> commands(Module, parallel, default).
parallel_commands(Module, Initial) -> commands(Module, parallel, {initial, Initial}).

commands(Module, Which, Initial) ->
    case get(?HELD) of
        {mark, Asker} -> tell(Asker, {Module, Which, fermata_property:values(), Initial});
        _ -> proper_types:exactly(commands_of(get(?TEST), Which =:= parallel))
    end.

more_commands(_, Type) -> Type.

run_commands(Module, Commands) -> run_commands(Module, Commands, []).
run_commands(eqc_statem, _, _) -> hold(), {[], none, ok}; % which module is not known
run_commands(Module, _, _) -> hold(), {[], fermata_statem:initial(Module), ok}.

run_parallel_commands(Module, Test) -> run_parallel_commands(Module, Test, []).
run_parallel_commands(_, _, _) -> hold(), {[], [], ok}.

%% The value that the body of the property gets.
commands_of({Prefix, Branches}, true) -> {sets(Prefix), [sets(B) || B <- Branches]};
commands_of({Prefix, Branches}, false) -> sets(lists:append([Prefix | Branches])).

sets(Calls) -> [{set, {var, Var}, Call} || {Var, Call} <- Calls].

%% ---- plain properties of PropEr ----

%% One instance of the outermost ?FORALL.
instance(Module, Property, Size, Seed) ->
    proper:global_state_init_size_seed(Size, Seed),
    guard(fun() ->
        case fermata_property:outermost(Module:Property()) of
            {forall, Type, _} -> {yes, generate(Type, "~s:~s/0", [Module, Property])};
            none -> {yes, ?NO_FORALL}
        end
    end, "~s:~s/0", [Module, Property]).

%% Explored. The outcome is a note: true, false, discarded, {raised, Text}, or {needs, Function} of
%% PropEr.
evaluate(Module, Property, {Size, Seed, Instance}) ->
    Given = case Instance of
        ?NO_FORALL -> [];
        Imm -> [proper_symb:internal_eval(clean(Imm))]
    end,
    Answer = try fermata_property:evaluate(fun Module:Property/0, Given, Size, Seed)
    catch
        error:'$fermata_needs_proper':Stack -> {needs, function(hd(Stack))};
        error:{'$fermata_not_supported', What} -> {not_supported, What};
        Class:Reason:Stack -> {raised, shortened(raised(Class, Reason, Stack))}
    end,
    fermata:note({1, expected(Module, Property, Answer)}),
    ok.

%% Of a property that is to fail (fails/1), an answer that lets the search go on.
expected(Module, Property, Answer) ->
    case fermata_property:expects_failure(Module:Property()) of
        false -> Answer;
        true when Answer =:= true; Answer =:= discarded -> unexpected;
        true when Answer =:= false; element(1, Answer) =:= raised -> expected;
        true -> Answer
    end.

%% The simpler instances of the nth round of PropEr's shrinkers, and whether more rounds follow.
smaller(Module, Property, Imm, Round) ->
    proper:global_state_init_size_seed(10, {1, 2, 3}),
    guard(fun() ->
        case fermata_property:outermost(Module:Property()) of
            {forall, Type, _} -> {yes, nth_round(Imm, proper_types:cook_outer(Type), init, Round)};
            none -> {yes, done}
        end
    end, "~s:~s/0", [Module, Property]).

nth_round(_, _, done, _) -> done;
nth_round(Imm, Type, State, Round) ->
    case proper_shrink:shrink(Imm, Type, State) of
        {[], done} -> done;
        {Some, _} when Round =:= 0 -> Some;
        {_, Next} -> nth_round(Imm, Type, Next, Round - 1)
    end.

instance_text(?NO_FORALL) -> <<"nothing">>;
instance_text(Imm) -> line("~0tp", [clean(Imm)]).

%% ---- texts ----

%% A call as source text; calls of Module are written without its name.
text(Module, {call, M, F, Args}) ->
    Name = case M of Module -> line("~tw", [F]); _ -> line("~tw:~tw", [M, F]) end,
    Words = lists:join(", ", [name_variables(line("~0tp", [A])) || A <- Args]),
    unicode:characters_to_binary([Name, "(", Words, ")"]).

%% Variables are numbered when the test they are in is known: prop/beam_model.c.
name_variables(Text) ->
    re:replace(Text, "\\{var,(\\d+)\\}", [1, "\\1", 1], [global, unicode, {return, binary}]).

value_text({_, {returned, Value}}) -> line("~0tp", [Value]);
value_text({_, {raised, Text}}) -> line("** ~ts", [Text]).

%% The values of the ?FORALLs around the commands, for a remark; "" without any.
how_text({property, _, _, [_ | _] = Outer, _}) ->
    Words = [line("~0tp", [Value]) || Value <- Outer],
    line("the ?FORALL around the commands has ~ts", [lists:join(", then ", Words)]);
how_text(_) -> <<>>.

%% The N of all {var, N} in a term.
variables({var, N}) when is_integer(N) -> [N];
variables(Term) when is_tuple(Term) -> variables(tuple_to_list(Term));
variables([Head | Tail]) -> lists:umerge(variables(Head), variables(Tail));
variables(Map) when is_map(Map) -> variables(maps:to_list(Map));
variables(_) -> [].

%% The test as a function for a regression suite; PropEr's own check of parallel commands
%% decides, under fermata test in all its schedules.
source(Module, How, Test) ->
    Renumbered = renumber(Test),
    {Prefix, Branches} = commands_of(Renumbered, true),
    unicode:characters_to_binary(
      ["parallel_test() ->\n",
       "    Prefix = ", commands_text(Prefix), ",\n",
       "    Branches = [", lists:join(",\n                ", [commands_text(B) || B <- Branches]),
       "],\n", check_text(Module, How, Renumbered)]).

check_text(Module, {property, P, true, _, _} = How, Test) ->
    {yes, Values} = accepts(Module, How, Test),
    Named = replace(Values, commands_of(Test, true), ?TEST),
    Text = string:replace(line("~0tp", [Named]), line("~tw", [?TEST]), "{Prefix, Branches}", all),
    line("    true = proper:check(~tw:~tw(), ~ts, [quiet]).~n", [Module, P, Text]);
check_text(Module, How, _) ->
    {Start, Stop} = case How of
        {setup, [{cleanup, 1} | _]} ->
            {line("    Made = ~tw:setup(),~n", [Module]),
             line("    ~tw:cleanup(Made),~n", [Module])};
        {setup, [{cleanup, 0}]} ->
            {line("    ~tw:setup(),~n", [Module]), line("    ~tw:cleanup(),~n", [Module])};
        {setup, []} -> {line("    ~tw:setup(),~n", [Module]), ""};
        {property, P, false, _, _} ->
            {line("    %% start here what ~tw:~tw/0 starts~n", [Module, P]), ""};
        none -> {"", ""}
    end,
    [Start, run_text(Module, fermata_statem:kind(Module)), Stop, "    ok = Result.\n"].

run_text(Module, fsm) ->
    line("    %% proper_fsm has no parallel commands: fermata prop --from FINDING ~tw decides~n"
         "    Result = {Prefix, Branches},~n", [Module]);
run_text(Module, Kind) ->
    Library = case Kind of statem -> proper_statem; grouped -> eqc_statem end,
    line("    {_, _, Result} = ~tw:run_parallel_commands(~tw, {Prefix, Branches}),~n",
         [Library, Module]).

commands_text(Commands) ->
    ["[", lists:join(",\n         ", [line("~0tp", [Set]) || Set <- Commands]), "]"].

%% With the variables numbered from 1, as PropEr does.
renumber({Prefix, Branches}) ->
    Vars = [Var || {Var, _} <- lists:append([Prefix | Branches])],
    Numbers = maps:from_list(lists:zip(Vars, lists:seq(1, length(Vars)))),
    Numbered = fun(Calls) -> [{maps:get(V, Numbers), rename(Call, Numbers)} || {V, Call} <- Calls]
               end,
    {Numbered(Prefix), [Numbered(B) || B <- Branches]}.

%% The term with By in the place of What.
replace(What, What, By) -> By;
replace(Term, What, By) when is_tuple(Term) ->
    list_to_tuple(replace(tuple_to_list(Term), What, By));
replace([Head | Tail], What, By) -> [replace(Head, What, By) | replace(Tail, What, By)];
replace(Term, _, _) -> Term.

rename({var, V}, Numbers) when is_map_key(V, Numbers) -> {var, maps:get(V, Numbers)};
rename(Term, Numbers) when is_tuple(Term) ->
    list_to_tuple(rename(tuple_to_list(Term), Numbers));
rename([Head | Tail], Numbers) -> [rename(Head, Numbers) | rename(Tail, Numbers)];
rename(Map, Numbers) when is_map(Map) -> maps:from_list(rename(maps:to_list(Map), Numbers));
rename(Term, _) -> Term.

%% ---- helpers ----

clean(Imm) -> proper_gen:clean_instance(Imm).

line(Format, Args) -> unicode:characters_to_binary(io_lib:format(Format, Args)).

%% The value of Fun, or {failed, Text} if it raises. Format and Args name the user's code.
guard(Fun, Format, Args) ->
    try Fun()
    catch
        throw:{failed, _} = Failed -> Failed;
        Class:Reason:Stack ->
            {failed, line(Format ++ " ~ts~s", Args ++ [why(Class, Reason, Stack), hint(Reason)])}
    end.

why(error, '$fermata_needs_proper', [Called | _]) ->
    line("needs PropEr, which is not installed: it calls ~ts", [function(Called)]);
why(Class, Reason, Stack) -> line("raises ~ts", [raised(Class, Reason, Stack)]).

%% An exception as text: of a function that is missing the name, too.
raised(error, undef, [Called | _]) -> line("error:undef (~ts)", [function(Called)]);
raised(Class, Reason, _) -> line("~s:~0tp", [Class, Reason]).

shortened(Text) ->
    case string:length(Text) > ?MESSAGE_MAX of
        true -> line("~ts…", [string:slice(Text, 0, ?MESSAGE_MAX)]);
        false -> Text
    end.

%% Of an entry of a stack.
function({M, F, Args, Place}) when is_list(Args) -> function({M, F, length(Args), Place});
function({M, F, Arity, _}) -> line("~tw:~tw/~w", [M, F, Arity]).

%% Only PropEr's own proper_gen has pick/1.
hint(undef) ->
    case erlang:function_exported(proper_gen, pick, 1) of
        true -> "";
        false -> " (PropEr is not installed; without it only the common generators are there)"
    end;
hint(_) -> "".

guarded(Fun, Format, Args) ->
    case guard(fun() -> {yes, Fun()} end, Format, Args) of
        {yes, Value} -> Value;
        {failed, Text} -> exit({?HELD, Text})
    end.
