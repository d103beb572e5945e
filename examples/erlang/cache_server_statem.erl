%% The cache of cache_server.erl as a state machine, written the way PropEr's documentation does:
%% callbacks, and properties that start the server, run the commands, and stop it. It knows
%% nothing of Fermata, which runs the parallel property's set-up as it is.
%%
%%     fermata prop -pa EBIN cache_server_statem
%%
%% prop: cache_server_statem => bug,not-linearizable
-module(cache_server_statem).
-export([prop_cache/0, prop_cache_parallel/0]).
-export([initial_state/0, command/1, precondition/2, next_state/3, postcondition/3]).

-import(proper_types, [oneof/1, integer/2]).

%% As proper.hrl has them.
-define(FORALL(X, Type, Test), proper:forall(Type, fun(X) -> Test end)).
-define(WHENFAIL(Action, Test), proper:whenfail(fun() -> Action end, fun() -> Test end)).

-define(SLOTS, 3).

%% The oldest first, and how many have been stored.
-record(state, {entries = [], count = 0}).

prop_cache() ->
    ?FORALL(Commands, proper_statem:commands(?MODULE),
            begin
                cache_server:start_link(racy, cache_server),
                {History, State, Result} = proper_statem:run_commands(?MODULE, Commands),
                cache_server:stop(),
                ?WHENFAIL(io:format("~p~n~p~n~p~n", [History, State, Result]), Result =:= ok)
            end).

prop_cache_parallel() ->
    ?FORALL(Test, proper_statem:parallel_commands(?MODULE),
            begin
                cache_server:start_link(racy, cache_server),
                {History, Parallel, Result} = proper_statem:run_parallel_commands(?MODULE, Test),
                cache_server:stop(),
                ?WHENFAIL(io:format("~p~n~p~n~p~n", [History, Parallel, Result]), Result =:= ok)
            end).

initial_state() -> #state{}.

command(_) ->
    oneof([{call, cache_server, store, [key(), value()]},
           {call, cache_server, find, [key()]},
           {call, cache_server, flush, []}]).

key() -> integer(1, 4).
value() -> integer(0, 100).

precondition(#state{count = 0}, {call, _, flush, []}) -> false;
precondition(_, _) -> true.

next_state(S, _, {call, _, flush, []}) ->
    S#state{entries = [], count = 0};
next_state(#state{entries = Entries, count = Count} = S, _, {call, _, store, [Key, Value]}) ->
    case lists:keymember(Key, 1, Entries) of
        true -> S#state{entries = lists:keyreplace(Key, 1, Entries, {Key, Value})};
        false when length(Entries) < ?SLOTS ->
            S#state{entries = Entries ++ [{Key, Value}], count = Count + 1};
        false -> S#state{entries = tl(Entries) ++ [{Key, Value}], count = Count + 1}
    end;
next_state(S, _, _) ->
    S.

postcondition(#state{entries = Entries}, {call, _, find, [Key]}, Result) ->
    Result =:= case lists:keyfind(Key, 1, Entries) of
                   {Key, Value} -> {ok, Value};
                   false -> {error, not_found}
               end;
postcondition(_, {call, _, _, _}, Result) ->
    Result =:= ok.
