%% A table whose type is the value of an outer ?FORALL, which decides the set-up and the initial
%% state. take/2 is wrong for bags only: it looks and deletes in two steps.
-module(nested).
-export([initial_state/0, command/1, precondition/2, next_state/3, postcondition/3]).
-export([put/2, take/2, prop_table/0, prop_that_waits/0]).

-define(TABLE, nested_table).

prop_table() ->
    proper:forall(proper_types:elements([set, bag, ordered_set]), fun(Type) ->
        proper:forall(proper_statem:parallel_commands(?MODULE, {Type, []}), fun(Commands) ->
            ?TABLE = ets:new(?TABLE, [Type, public, named_table]),
            {_, _, Result} = proper_statem:run_parallel_commands(?MODULE, Commands),
            ets:delete(?TABLE),
            Result =:= ok
        end)
    end).

%% Not about commands; whoever looks for commands in it must not wait with it.
prop_that_waits() ->
    proper:forall(proper_types:integer(), fun(_) -> receive never -> true end end).

initial_state() -> {set, []}.

command({Type, _}) ->
    proper_types:oneof([{call, ?MODULE, put, [Type, proper_types:range(1, 2)]},
                        {call, ?MODULE, take, [Type, proper_types:range(1, 2)]}]).

precondition({Type, _}, {call, _, _, [Type, _]}) -> true;
precondition(_, _) -> false.

next_state({Type, Keys}, _, {call, _, put, [_, Key]}) -> {Type, lists:usort([Key | Keys])};
next_state({Type, Keys}, _, {call, _, take, [_, Key]}) -> {Type, lists:delete(Key, Keys)}.

postcondition(_, {call, _, put, _}, Result) -> Result;
postcondition({_, Keys}, {call, _, take, [_, Key]}, Result) -> Result =:= lists:member(Key, Keys).

put(_, Key) -> ets:insert(?TABLE, {Key}).

take(bag, Key) ->
    case ets:member(?TABLE, Key) of
        true -> ets:delete(?TABLE, Key);
        false -> false
    end;
take(_, Key) -> ets:take(?TABLE, Key) =/= [].
