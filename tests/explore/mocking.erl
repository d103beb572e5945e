%% Code that is replaced in the middle of a test goes back with the run: what one run has loaded,
%% purged or deleted the next one does not see.
%%
%% expect: replaced --setup mocking:prepare => proved,executions>=2
%% expect: replaced --setup mocking:prepare --strategy dfs => proved,executions>=2
%% expect: explored => proved
%% expect: paths => proved,executions>=2
-module(mocking).
-export([prepare/0, replaced/0, explored/0, paths/0]).

%% The module `mocked`, compiled to answer Answer.
compiled(Answer) ->
    Forms = [{attribute, 1, module, mocked}, {attribute, 2, export, [{answer, 0}]},
             {function, 3, answer, 0, [{clause, 3, [], [], [{atom, 3, Answer}]}]}],
    {ok, mocked, Code} = compile:forms(Forms, []),
    Code.

prepare() ->
    persistent_term:put(mocking, {compiled(original), compiled(mock)}).

load(Code) -> {module, mocked} = code:load_binary(mocked, "mocked.erl", Code).

replaced() ->
    false = erlang:function_exported(mocked, answer, 0),
    {Original, Mock} = persistent_term:get(mocking),
    load(Original),
    original = mocked:answer(),
    load(Mock),
    mock = mocked:answer(),
    race(),
    true = code:delete(mocked),
    false = code:purge(mocked),
    false = erlang:function_exported(mocked, answer, 0),
    load(Original),
    original = mocked:answer().

%% Something to explore: two messages in either order.
race() ->
    S = self(),
    [spawn(fun() -> S ! X end) || X <- [1, 2]],
    receive X -> X end,
    receive Y -> Y end.

explored() -> true = fermata:is_explored().

paths() ->
    false = lists:member("/", code:get_path()),
    true = code:add_patha("/"),
    true = lists:member("/", code:get_path()),
    race().
