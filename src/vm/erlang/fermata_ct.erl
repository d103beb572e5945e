%% Common Test's cases, one at a time: list/2 finds all cases, enter/3 runs one of them.
%%
%% A suite lists its cases and groups itself (all/0, groups/0). Common Test's own runner would run
%% all of them and write logs, so its few steps are made here: init_per_suite and init_per_group,
%% each in a process of its own that exits; then, in the process of the case, init_per_testcase,
%% fermata:begin_test(), the case and fermata:end_test(). As in Common Test, the processes of
%% init_per_suite and init_per_group exit with a reason that ends the processes linked to them.
%% enter/3 runs no end_per functions; list/2 runs them.
%%
%% The name of a case is its path: "group/inner/case". The functions of the module ct that a case
%% calls are those of common_test/ct.erl. Priv is the name of a folder.
-module(fermata_ct).
-export([list/2, enter/3]).

-define(TEXT_MAX, 300).

%% {ok, [{test | broken | note, Path, Text} | {skipped, Path, Text, Tags}]} in the order of all/0.
list(Suite, Priv) ->
    try {ok, hooks(Suite) ++ list_suite(Suite, tree(Suite), config(Suite, Priv))}
    catch throw:{broken, Text} -> {error, text(Text)}
    end.

hooks(Suite) ->
    case lists:keymember(ct_hooks, 1, info(Suite, suite, [])) of
        true -> [{note, <<>>, <<"ct_hooks of suite/0 are not run">>}];
        false -> []
    end.

list_suite(Suite, Tree, Config) ->
    case begin_suite(Suite, Config) of
        {ok, Inner} ->
            Found = list_nodes(Suite, Tree, [], Inner),
            apart(Suite, end_per_suite, [Inner]),
            unique(Found);
        Other -> [not_begun(Suite, [], "init_per_suite", Other)]
    end.

list_nodes(Suite, Nodes, Path, Config) ->
    lists:append([list_node(Suite, Node, Path, Config) || Node <- Nodes]).

list_node(Suite, {'case', Name}, Path, Config) ->
    case erlang:function_exported(Suite, Name, 1) of
        true -> list_case(Suite, Name, Path, Config);
        false ->
            Missing = io_lib:format("~ts/1 is not exported", [Name]),
            [{broken, path_text([Name | Path]), text(Missing)}]
    end;
list_node(Suite, {group, Name, Properties, Members} = Group, Path, Config) ->
    Inside = [Name | Path],
    case begin_group(Suite, Group, Config) of
        {ok, Inner} ->
            Found = list_nodes(Suite, Members, Inside, Inner),
            apart(Suite, end_per_group, [Name, Inner]),
            parallel(Properties, Inside) ++ Found;
        Other -> [not_begun(Suite, Inside, "init_per_group", Other)]
    end.

list_case(Suite, Name, Path, Config) ->
    Inside = [Name | Path],
    case apart(fun() -> begin_case(Suite, Name, Config) end) of
        {ok, {ok, Inner}} ->
            apart(Suite, end_per_testcase, [Name, Inner]),
            [{test, path_text(Inside), text(name(Suite, Inside))}];
        {ok, Other} -> [not_begun(Suite, Inside, "init_per_testcase", Other)];
        Failed -> [not_begun(Suite, Inside, "init_per_testcase", Failed)]
    end.

%% A case that stands twice in a group (or is repeated) is explored once.
unique([]) -> [];
unique([Item | Rest]) -> [Item | unique([Other || Other <- Rest, Other =/= Item])].

parallel(Properties, Path) ->
    case lists:member(parallel, Properties) of
        true ->
            [{note, path_text(Path),
              text([name_of_group(Path), " is parallel; its cases are explored one by one"])}];
        false -> []
    end.

not_begun(Suite, Path, _, {skip, Reason}) ->
    {skipped, path_text(Path), text(name(Suite, Path)), text(["skip:", Reason])};
not_begun(_, Path, What, {broken, Text}) ->
    {broken, path_text(Path), text([about(Path), ": ", What, " ", Text])}.

about([]) -> "the suite";
about(Path) -> path_text(Path).

%% ---- running one case ----

enter(Suite, Path, Priv) ->
    Names = [list_to_atom(Name) || Name <- string:lexemes(Path, "/")],
    Config = must("init_per_suite", begin_suite(Suite, config(Suite, Priv))),
    go(Suite, tree(Suite), Names, false, Config).

%% InSequence: a case may depend on the effects of the cases before it.
go(Suite, [Node | Rest], [Name | Names], InSequence, Config) when element(2, Node) =/= Name ->
    InSequence andalso run_node(Suite, Node, Config),
    go(Suite, Rest, [Name | Names], InSequence, Config);
go(Suite, [{'case', Name} | _], [Name], _, Config) ->
    Root = self(),
    spawn(fun() -> run_case(Suite, Name, Config, Root) end),
    receive {'$fermata_broken', Text} -> exit({broken, text(Text)}) end;
go(Suite, [{group, Name, Properties, Members} = Group | _], [Name | Names], InSequence, Config) ->
    Inner = must("init_per_group", begin_group(Suite, Group, Config)),
    go(Suite, Members, Names, InSequence orelse lists:member(sequence, Properties), Inner);
go(Suite, _, [Name | _], _, _) ->
    exit({broken, text(io_lib:format("~ts has no case or group ~ts", [Suite, Name]))}).

run_case(Suite, Name, Config, Root) ->
    case begin_case(Suite, Name, Config) of
        {ok, Inner} ->
            fermata:begin_test(true),
            Suite:Name(Inner),
            fermata:end_test(),
            exit(shutdown);
        Other ->
            Root ! {'$fermata_broken', not_begun_text("init_per_testcase", Other)},
            receive after infinity -> ok end
    end.

must(_, {ok, Config}) -> Config;
must(What, Other) -> exit({broken, text(not_begun_text(What, Other))}).

not_begun_text(What, {skip, Reason}) -> [What, " skips it: ", Reason];
not_begun_text(What, {broken, Text}) -> [What, " ", Text].

%% Runs a case or group before the one that is explored, whether it passes or fails.
run_node(Suite, {'case', Name}, Config) ->
    apart(fun() ->
              {ok, Inner} = begin_case(Suite, Name, Config),
              try Suite:Name(Inner) catch _:_ -> failed end,
              erlang:function_exported(Suite, end_per_testcase, 2)
                  andalso Suite:end_per_testcase(Name, Inner)
          end);
run_node(Suite, {group, Name, _, Members} = Group, Config) ->
    case begin_group(Suite, Group, Config) of
        {ok, Inner} ->
            [run_node(Suite, Member, Inner) || Member <- Members],
            apart(Suite, end_per_group, [Name, Inner]);
        _ -> ok
    end.

%% ---- set-ups: {ok, Config}, {skip, Text} or {broken, Text} ----

begin_suite(Suite, Config) ->
    begin_with(info(Suite, suite, []), Config,
               fun(Inner) -> set_up(Suite, init_per_suite, [Inner]) end).

begin_group(Suite, {group, Name, Properties, _}, Config) ->
    Known = [{tc_group_properties, [{name, Name} | Properties]} | Config],
    begin_with(info(Suite, group, [Name]), Known,
               fun(Inner) -> set_up(Suite, init_per_group, [Name, Inner]) end).

%% In the process of the case.
begin_case(Suite, Name, Config) ->
    begin_with(info(Suite, Name, []), [{tc_name, Name} | Config],
               fun(Inner) ->
                   case erlang:function_exported(Suite, init_per_testcase, 2) of
                       true -> judge(attempt(fun() -> Suite:init_per_testcase(Name, Inner) end));
                       false -> {ok, Inner}
                   end
               end).

begin_with(Info, Config, Begin) ->
    case require(Info) of
        ok -> Begin(Config);
        Skip -> Skip
    end.

set_up(Suite, Function, Args) ->
    case erlang:function_exported(Suite, Function, length(Args)) of
        true -> judge(apart(fun() -> apply(Suite, Function, Args) end));
        false -> {ok, lists:last(Args)}
    end.

judge({ok, Config}) when is_list(Config) -> {ok, Config};
judge({ok, {skip, Reason}}) -> {skip, print(Reason)};
judge({ok, {skip_and_save, Reason, _}}) -> {skip, print(Reason)};
judge({ok, {fail, Reason}}) -> {broken, ["fails: ", print(Reason)]};
judge({ok, Value}) -> {broken, ["returns ", print(Value), ", which is not a list"]};
judge({broken, _} = Failed) -> Failed.

%% The functions suite/0, group/1 and Case/0 may be missing, and may fail.
info(Suite, Function, Args) ->
    case erlang:function_exported(Suite, Function, length(Args)) of
        true ->
            case attempt(fun() -> apply(Suite, Function, Args) end) of
                {ok, Info} when is_list(Info) -> [Entry || Entry <- Info, is_tuple(Entry)];
                _ -> []
            end;
        false -> []
    end.

%% As in Common Test, default_config is for variables that are required.
require(Info) ->
    Required = [Key || {require, Key} <- Info] ++ [Key || {require, _, Key} <- Info],
    [ct:default_config(Key, Value)
     || {default_config, Key, Value} <- Info, lists:member(Key, Required)],
    Missing = [Key || {require, Key} <- Info, ct:require(Key) =/= ok]
        ++ [Key || {require, Name, Key} <- Info, ct:require(Name, Key) =/= ok],
    case Missing of
        [] -> ok;
        [Key | _] -> {skip, ["the variable ", print(Key), " is missing (--config FILE)"]}
    end.

%% ---- the cases and groups of a suite ----

%% [{'case', Name} | {group, Name, Properties, Members}]
tree(Suite) ->
    erlang:function_exported(Suite, all, 0)
        orelse throw({broken, "it is not a Common Test suite: it does not export all/0"}),
    Groups = case erlang:function_exported(Suite, groups, 0) of
                 true -> called(Suite, groups);
                 false -> []
             end,
    case called(Suite, all) of
        {skip, Reason} -> throw({broken, ["all/0 skips the suite: ", print(Reason)]});
        All -> [node_of(Item, Groups) || Item <- All]
    end.

called(Suite, Function) ->
    case attempt(fun() -> Suite:Function() end) of
        {ok, Value} -> Value;
        {broken, Text} -> throw({broken, [atom_to_list(Function), "/0 ", Text]})
    end.

node_of({group, Name}, Groups) -> group_of(Name, default, Groups);
node_of({group, Name, Properties}, Groups) -> group_of(Name, Properties, Groups);
node_of({group, Name, Properties, _}, Groups) -> group_of(Name, Properties, Groups);
node_of({testcase, Name, _}, _) -> {'case', Name};
node_of({Name, Properties, Members}, Groups) when is_list(Members) ->
    {group, Name, Properties, [node_of(Member, Groups) || Member <- Members]};
node_of(Name, _) when is_atom(Name) -> {'case', Name};
node_of(Other, _) -> throw({broken, ["this is not a case or group: ", print(Other)]}).

group_of(Name, Wanted, Groups) ->
    case lists:keyfind(Name, 1, Groups) of
        {Name, Properties, Members} when Wanted =:= default ->
            node_of({Name, Properties, Members}, Groups);
        {Name, _, Members} -> node_of({Name, Wanted, Members}, Groups);
        false -> throw({broken, ["groups/0 has no group ", atom_to_list(Name)]})
    end.

%% ---- the configuration of a case ----

config(Suite, Priv) ->
    [{data_dir, data_dir(Suite)}, {priv_dir, filename:join(Priv, "") ++ "/"}].

%% Beside the .beam file, or else beside the source.
data_dir(Suite) ->
    Name = atom_to_list(Suite) ++ "_data",
    Source = proplists:get_value(source, Suite:module_info(compile), ""),
    Folders = [filename:dirname(Path) || Path <- [code:which(Suite), Source], is_list(Path)],
    Found = [Folder || Folder <- Folders, filelib:is_dir(filename:join(Folder, Name))],
    filename:join(filename:absname(hd(Found ++ Folders)), Name) ++ "/".

%% ---- calls ----

%% In a process of its own: what is linked to it ends with it.
apart(Suite, Function, Args) ->
    erlang:function_exported(Suite, Function, length(Args))
        andalso apart(fun() -> apply(Suite, Function, Args) end).

apart(Fun) ->
    {_, Monitor} = spawn_monitor(fun() -> exit({'$fermata_ct', attempt(Fun)}) end),
    receive
        {'DOWN', Monitor, process, _, {'$fermata_ct', Result}} -> Result;
        {'DOWN', Monitor, process, _, Reason} -> {broken, ["fails: exit ", print(Reason)]}
    end.

attempt(Fun) ->
    try {ok, Fun()}
    catch Class:Reason -> {broken, ["fails: ", atom_to_list(Class), " ", print(Reason)]}
    end.

%% ---- texts ----

name(Suite, []) -> atom_to_list(Suite);
name(Suite, [Case]) -> io_lib:format("~ts:~ts", [Suite, Case]);
name(Suite, [Case | Path]) -> io_lib:format("~ts:~ts in ~ts", [Suite, Case, name_of_group(Path)]).

name_of_group(Path) -> ["group ", path_text(Path)].

path_text(Path) ->
    Names = [atom_to_list(Name) || Name <- lists:reverse(Path)],
    unicode:characters_to_binary(lists:join("/", Names)).

print(Reason) ->
    case io_lib:printable_unicode_list(Reason) of
        true -> Reason;
        false -> io_lib:format("~0tp", [Reason])
    end.

text(Chars) ->
    Flat = unicode:characters_to_list(Chars),
    unicode:characters_to_binary(lists:sublist([one_line(C) || C <- Flat], ?TEXT_MAX)).

one_line(C) when C < $\s -> $\s;
one_line(C) -> C.
