%% ExUnit's tests, one at a time: list/1 finds all tests, enter/2 runs one of them.
%%
%% A case lists its tests and callbacks itself ('__ex_unit__'/0 and /2). ExUnit's own runner would
%% run all tests, so its few steps are made here: setup_all in the module's process; then, in a
%% child of it, the set-up, fermata:begin_test(), the test and fermata:end_test(). The process of the
%% test then exits, and the processes linked to it with it. Callbacks of on_exit are registered but
%% never run. The name of a test is its function.
-module(fermata_exunit).
-export([list/1, enter/2]).

%% {ok, [{test | skipped, Name, Text, Tags}]}, or {error, Text}.
list(Module) ->
    case read(Module) of
        {ok, #{tests := Tests}} -> {ok, [item(Test) || Test <- lists:sort(fun is_before/2, Tests)]};
        Error -> Error
    end.

read(Module) ->
    case erlang:function_exported(Module, '__ex_unit__', 0) of
        true ->
            case Module:'__ex_unit__'() of
                #{tests := _} = Case -> {ok, Case};
                _ -> {error, <<"it was compiled with an unknown version of ExUnit">>}
            end;
        false -> {error, <<"it is not an ExUnit case">>}
    end.

is_before(#{tags := A}, #{tags := B}) -> maps:get(line, A, 0) =< maps:get(line, B, 0).

item(#{name := Name, module := Module, tags := Tags}) ->
    "Elixir." ++ Short = atom_to_list(Module),
    Text = unicode:characters_to_binary([Short, ": ", atom_to_list(Name)]),
    Path = atom_to_binary(Name, utf8),
    case Tags of
        #{skip := Skip} when Skip =/= false -> {skipped, Path, Text, tags(Tags)};
        _ -> {test, Path, Text, tags(Tags)}
    end.

%% A line "name:value" for each tag, for --tag and --skip-tag.
tags(Tags) ->
    unicode:characters_to_binary([[atom_to_list(Name), $:, tag_value(Value), $\n]
                                  || {Name, Value} <- maps:to_list(Tags), is_atom(Name)]).

tag_value(Value) when is_binary(Value) ->
    case unicode:characters_to_list(Value) of
        Chars when is_list(Chars) -> [one_line(C) || C <- Chars];
        _ -> ""
    end;
tag_value(Value) when is_atom(Value) ->
    case atom_to_list(Value) of
        "Elixir." ++ Alias -> Alias;
        Name -> Name
    end;
tag_value(Value) -> io_lib:format("~0tp", [Value]).

one_line(C) when C < $\s -> $\s;
one_line(C) -> C.

enter(Module, Name) ->
    {ok, _} = application:ensure_all_started(ex_unit),
    allow_logs(),
    Test = find(Module, list_to_atom(Name)),
    Fail = fun(Text) -> exit({broken, Text}) end,
    Shared = must("setup_all failed", fun() ->
                  Module:'__ex_unit__'(setup_all, #{module => Module, 'case' => Module})
             end, Fail),
    Self = self(),
    spawn(fun() -> run(Test, Shared, fun(Text) -> Self ! {'$fermata_broken', Text} end) end),
    receive {'$fermata_broken', Text} -> Fail(Text) end.

%% The machine starts with no logging, because each log is a step. A test whose application starts
%% Elixir's logger may look at what is logged (capture_log).
allow_logs() ->
    case lists:keymember(logger, 1, application:which_applications()) of
        true -> logger:set_primary_config(level, application:get_env(logger, level, debug));
        false -> ok
    end.

find(Module, Name) ->
    {ok, #{tests := Tests}} = read(Module),
    [Test] = [T || #{name := N} = T <- Tests, N =:= Name],
    Test.

run(#{module := Module, name := Name, tags := Tags}, Shared, Fail) ->
    'Elixir.ExUnit.OnExitHandler':register(self()),
    rand:seed(exsss, {0, 0, 0}),
    Context = must("the set-up failed", fun() ->
                   Module:'__ex_unit__'(setup, maps:merge(Tags#{test => Name}, Shared))
              end, Fail),
    fermata:begin_test(true),
    Module:Name(Context),
    fermata:end_test(),
    exit(shutdown).

must(What, Fun, Fail) ->
    try Fun()
    catch Class:Reason ->
            Fail(unicode:characters_to_binary([What, ": ", explain(Class, Reason)])),
            receive after infinity -> ok end
    end.

explain(error, #{'__exception__' := true} = Exception) ->
    ["error ", 'Elixir.Exception':message(Exception)];
explain(Class, Reason) -> io_lib:format("~ts ~0tp", [Class, Reason]).
