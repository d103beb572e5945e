%% Helpers of the body. Nothing here has arity 0: such functions would be taken for tests.
-module(tlib).
-export([id/1, catching/1, pairs/3, trace/1, trace/2, reply/1, drain/1, await_down/1,
         sorted/1, until/1]).

id(Value) -> Value.

catching(Fun) ->
    try Fun()
    catch
        Class:Reason -> {Class, Reason}
    end.

%% Applies a function of two arguments to every pair of two lists.
pairs(Fun, As, Bs) ->
    [catching(fun() -> Fun(A, B) end) || A <- As, B <- Bs].

%% A stack trace without what legitimately differs: only the frames above the
%% first one outside the given modules, each with its line.
trace([{M, _, _, _} | _] = Stack) -> trace(Stack, [M]).

trace([{M, F, A, Info} | Rest], Modules) ->
    case lists:member(M, Modules) of
        true -> [{M, F, A, proplists:get_value(line, Info)} | trace(Rest, Modules)];
        false -> []
    end;
trace([], _) -> [].

%% The next message, whatever it is, or `timeout`.
reply(Ms) ->
    receive Message -> Message
    after Ms -> timeout
    end.

%% All messages that are here already, oldest first.
drain(Acc) ->
    receive Message -> drain([Message | Acc])
    after 0 -> lists:reverse(Acc)
    end.

%% Waits until a process has ended; its exit reason.
await_down(Pid) ->
    Mon = monitor(process, Pid),
    receive {'DOWN', Mon, process, Pid, Reason} -> Reason end.

%% The entries of a map in term order.
sorted(Map) -> lists:sort(maps:to_list(Map)).

%% Waits until a condition holds.
until(Condition) ->
    case Condition() of
        true -> ok;
        false -> receive after 1 -> until(Condition) end
    end.
