%% EUnit's tests, one at a time: list/1 finds all tests, enter/2 runs one of them.
%%
%% OTP's own eunit_data determines which tests a module has (generators, fixtures, groups). Only the
%% walk over them is here, because EUnit's own runner runs all tests. The name of a test is its
%% path: its place in the group, that group's place in the group above, and so on.
%%
%% enter/2 runs the set-ups on the path, then the tests before the wanted one in the same fixture
%% or {spawn, ...} group (the wanted test may depend on their effects), calls fermata:begin_test(),
%% runs the test, and calls fermata:end_test() if the test returns. It does not run clean-ups; list/1
%% does. Processes are as in EUnit: the process of a set-up waits while the tests run in a child,
%% unless the fixture is `local`.
%%
%% Records are read by position, counted from the end where OTP 25 inserted a field.
-module(fermata_eunit).
-export([list/1, enter/2]).

-define(TEXT_MAX, 300).

%% {ok, [{test | broken | note, Path, Text}]} in the order in which EUnit runs them.
list(Module) ->
    try {ok, list_tests(Module, [], [])}
    catch throw:Reason -> {error, explain(Reason)}
    end.

list_tests(Tests, Path, Descriptions) ->
    list_next(start(Tests), 1, Path, Descriptions).

list_next(Iterator, N, Path, Descriptions) ->
    try eunit_data:iter_next(Iterator) of
        none -> [];
        {Item, Rest} ->
            list_item(Item, [N | Path], Descriptions)
                ++ list_next(Rest, N + 1, Path, Descriptions)
    catch throw:Reason when Path =/= [] ->
            [broken([N | Path], [explain(Reason), "; what comes after it was not looked at"])]
    end.

list_item(Item, Path, Descriptions) ->
    All = Descriptions ++ description(Item),
    case is_test(Item) of
        true -> [{test, path_text(Path), text(name(Item, All))}];
        false -> list_group(context(Item), tests(Item), Path, All)
    end.

list_group(undefined, Tests, Path, Descriptions) ->
    list_tests(Tests, Path, Descriptions);
list_group(Context, Body, Path, Descriptions) ->
    case is_node(Context) of
        true ->
            [{note, path_text(Path), <<"{node, ...} is ignored: its tests run on this node">>}
             | list_tests(Body({node(), false}), Path, Descriptions)];
        false -> list_fixture(Context, Body, Path, Descriptions)
    end.

list_fixture({context, Setup, Cleanup, _}, Body, Path, Descriptions) ->
    case attempt(Setup) of
        {ok, Value} ->
            Found = case attempt(fun() -> Body(Value) end) of
                        {ok, Tests} -> list_tests(Tests, Path, Descriptions);
                        Failed -> [broken(Path, failure("a fixture cannot make its tests", Failed))]
                    end,
            Found ++ case attempt(fun() -> Cleanup(Value) end) of
                         {ok, _} -> [];
                         Failed1 -> [broken(Path, failure("the clean-up failed", Failed1))]
                     end;
        Failed -> [broken(Path, failure("the set-up failed", Failed))]
    end.

%% ---- running one test ----

enter(Module, Path) ->
    go(start(Module), 1, Path, #{root => self(), is_shared => false, has_setup => false}).

%% is_shared: the test may depend on effects of the tests before it.
go(Iterator, N, [N | Path], State) ->
    {Item, _} = eunit_data:iter_next(Iterator),
    case is_test(Item) of
        true -> begin_test(function(Item), State);
        false -> go_into(Item, Path, State)
    end;
go(Iterator, N, Path, #{is_shared := IsShared} = State) ->
    {Item, Rest} = eunit_data:iter_next(Iterator),
    IsShared andalso run_item(Item),
    go(Rest, N + 1, Path, State).

begin_test(Test, #{has_setup := HasSetup}) ->
    fermata:begin_test(HasSetup),
    Test(),
    fermata:end_test().

go_into(Group, Path, #{root := Root} = State) ->
    {Tests, InNewProcess} = enter_context(Group, fun(Text) -> give_up(Root, Text) end),
    Walk = fun() -> go(start(Tests), 1, Path, inside(Group, InNewProcess, State)) end,
    case InNewProcess orelse is_parallel(Group) of
        true ->
            spawn(Walk),
            receive {'$fermata_broken', Text} -> exit({broken, Text}) end;
        false -> Walk()
    end.

%% Only the first process can end the set-up.
give_up(Root, Text) when Root =:= self() -> exit({broken, Text});
give_up(Root, Text) ->
    Root ! {'$fermata_broken', Text},
    receive after infinity -> ok end.

inside(Group, InNewProcess, #{is_shared := IsShared, has_setup := HasSetup} = State) ->
    HasContext = context(Group) =/= undefined,
    State#{is_shared := not is_parallel(Group)
               andalso (IsShared orelse InNewProcess orelse HasContext),
           has_setup := HasSetup orelse InNewProcess orelse HasContext}.

%% The body of a group, and whether it has a process of its own.
enter_context(Group, GiveUp) ->
    case context(Group) of
        undefined -> {tests(Group), spawns(Group)};
        {context, Setup, _, Process} = Context ->
            Value = case is_node(Context) of
                        true -> {node(), false};
                        false -> must("the set-up failed", Setup, GiveUp)
                    end,
            Body = must("a fixture cannot make its tests", fun() -> (tests(Group))(Value) end,
                        GiveUp),
            {Body, Process =/= local orelse spawns(Group)}
    end.

must(What, Fun, GiveUp) ->
    case attempt(Fun) of
        {ok, Value} -> Value;
        Failed -> GiveUp(text(failure(What, Failed)))
    end.

%% ---- running the tests before it, whether they pass or fail ----

run_item(Item) ->
    case is_test(Item) of
        true -> attempt(function(Item));
        false -> attempt(fun() -> run_group(Item) end)
    end.

run_group(Group) ->
    {Tests, InNewProcess} = enter_context(Group, fun(_) -> throw(skipped) end),
    Run = fun() -> run_all(start(Tests)) end,
    case InNewProcess of
        true ->
            {_, Monitor} = spawn_monitor(Run),
            receive {'DOWN', Monitor, process, _, _} -> ok end;
        false -> Run()
    end.

run_all(Iterator) ->
    case eunit_data:iter_next(Iterator) of
        none -> ok;
        {Item, Rest} -> run_item(Item), run_all(Rest)
    end.

%% ---- EUnit's data ----

start(Tests) ->
    {module, eunit_data} = code:ensure_loaded(eunit_data),
    case erlang:function_exported(eunit_data, iter_init, 3) of
        true -> eunit_data:iter_init(Tests, [], []);
        false -> eunit_data:iter_init(Tests, [])
    end.

is_test(Item) -> element(1, Item) =:= test.
function(Test) -> element(2, Test).
tests(Group) -> element(tuple_size(Group), Group).
spawns(Group) -> element(tuple_size(Group) - 1, Group) =/= undefined.
context(Group) -> element(tuple_size(Group) - 2, Group).

is_parallel(Group) ->
    case element(tuple_size(Group) - 4, Group) of
        {inparallel, _} -> true;
        _ -> false
    end.

%% eunit_data turns {node, ...} into a set-up of its own, and {foreachx, ...} into a set-up that
%% contains the user's fun.
is_node({context, Setup, _, _}) ->
    {env, Environment} = erlang:fun_info(Setup, env),
    erlang:fun_info(Setup, module) =:= {module, eunit_data}
        andalso lists:prefix("-parse", atom_to_list(element(2, erlang:fun_info(Setup, name))))
        andalso not lists:any(fun erlang:is_function/1, Environment).

description(Item) ->
    case element(case is_test(Item) of true -> 3; false -> 2 end, Item) of
        undefined -> [];
        <<"module '", _/binary>> -> [];
        Text -> [Text]
    end.

%% ---- texts ----

name(Test, Descriptions) ->
    Place = case element(5, Test) of
                {M, F, _} -> io_lib:format("~ts:~ts", [M, outer(atom_to_list(F))]);
                _ -> "a test"
            end,
    Line = case element(6, Test) of
               N when is_integer(N), N > 0 -> io_lib:format(":~b", [N]);
               _ -> ""
           end,
    [Place, Line, [[" \"", D, "\""] || D <- Descriptions]].

%% '-counter_test_/0-fun-1-' is a fun of counter_test_.
outer([$- | Name]) -> hd(string:split(Name, "/"));
outer(Name) -> Name.

path_text(Path) ->
    iolist_to_binary(lists:join(".", [integer_to_list(N) || N <- lists:reverse(Path)])).

broken(Path, Text) -> {broken, path_text(Path), text(Text)}.

explain({module_not_found, Module}) -> text(io_lib:format("module ~ts does not exist", [Module]));
explain({generator_failed, {{M, F, A}, {Class, Reason, _}}}) ->
    text(failure(io_lib:format("the generator ~ts:~ts/~b failed", [M, F, A]), {Class, Reason}));
explain({bad_generator, {{M, F, A}, Value}}) ->
    text(io_lib:format("the generator ~ts:~ts/~b gives no tests: ~0tp", [M, F, A, Value]));
explain(Reason) -> text(io_lib:format("this is not a test: ~0tp", [Reason])).

failure(What, {Class, Reason}) -> io_lib:format("~ts: ~ts ~0tp", [What, Class, Reason]).

text(Chars) ->
    Flat = unicode:characters_to_list(Chars),
    unicode:characters_to_binary(lists:sublist([one_line(C) || C <- Flat], ?TEXT_MAX)).

one_line(C) when C < $\s -> $\s;
one_line(C) -> C.

attempt(Fun) ->
    try {ok, Fun()}
    catch Class:Reason -> {Class, Reason}
    end.
