%% A program of the size of a real tool: a coordinator, a table and 13 workers, each of which
%% analyses a module when the modules it depends on are done. Far too large for a proof: the search
%% ends at --max-time, under control, with every strategy.
-module(many).
-export([analyse/0]).

%% expect: analyse --max-time 3 => no-bug-found
%% expect: analyse --strategy dpor --max-time 3 => no-bug-found,blocked=0
%% expect: analyse --strategy dpor --delivery async --max-time 3 => no-bug-found
%% expect: analyse --strategy bounded --bound 2 --max-time 3 => no-bug-found
%% expect: analyse --strategy pos --max-time 2 => no-bug-found

-define(MODULES, [{N, [D || D <- [N - 1, N - 4, N div 2], D > 0, D < N]} || N <- lists:seq(1, 13)]).

analyse() ->
    Table = ets:new(results, [public, named_table]),
    register(coordinator, self()),
    Workers = [{N, spawn_monitor(fun() -> work(N, Needs) end)} || {N, Needs} <- ?MODULES],
    ok = coordinate(#{}, maps:from_list([{N, Pid} || {N, {Pid, _}} <- Workers]), length(Workers)),
    [receive {'DOWN', M, _, _, Reason} -> normal = Reason end || {_, {_, M}} <- Workers],
    13 = ets:info(Table, size),
    lists:foreach(fun({N, Needs}) -> [{N, Depth}] = ets:lookup(results, N),
                                     Depth = 1 + deepest(Needs) end, ?MODULES).

%% Tells each worker that waits for a module as soon as that module is done.
coordinate(_, _, 0) -> ok;
coordinate(Waiting, Pids, Left) ->
    receive
        {wait, N, Who} ->
            case ets:member(results, N) of
                true -> maps:get(Who, Pids) ! {done, N}, coordinate(Waiting, Pids, Left);
                false -> coordinate(Waiting#{N => [Who | maps:get(N, Waiting, [])]}, Pids, Left)
            end;
        {finished, N} ->
            [maps:get(Who, Pids) ! {done, N} || Who <- maps:get(N, Waiting, [])],
            coordinate(maps:remove(N, Waiting), Pids, Left - 1)
    end.

work(N, Needs) ->
    [coordinator ! {wait, D, N} || D <- Needs],
    [receive {done, D} -> ok end || D <- Needs],
    true = ets:insert_new(results, {N, 1 + deepest(Needs)}),
    coordinator ! {finished, N}.

deepest(Needs) ->
    lists:max([0 | [Depth || D <- Needs, {_, Depth} <- ets:lookup(results, D)]]).
