%% The whole application, with its supervisor.
-module(shelf_SUITE).

-export([all/0, groups/0, init_per_suite/1, end_per_suite/1]).
-export([news/1, end_of_a_subscriber/1, limit/1]).

all() -> [limit, {group, subscribers}].

groups() -> [{subscribers, [], [news, end_of_a_subscriber]}].

init_per_suite(Config) ->
    {ok, _} = application:ensure_all_started(shelf),
    Config.

end_per_suite(_) -> application:stop(shelf).

limit(_) ->
    ok = shelf:add(pens, 10),
    full = shelf:add(pens, 1),
    full = shelf:move(pens, pens, 1).

%% A subscriber gets the news of a change that another process makes.
news(_) ->
    ok = shelf_events:subscribe(cups),
    spawn_link(fun() -> shelf:add(cups, 3) end),
    receive {shelf, cups, 3} -> ok end,
    ok = shelf_events:unsubscribe(cups),
    [] = shelf_events:subscribers(cups).

end_of_a_subscriber(_) ->
    {Pid, Monitor} = spawn_monitor(fun() -> shelf_events:subscribe(jars) end),
    receive {'DOWN', Monitor, process, Pid, normal} -> ok end,
    ok = shelf:add(jars, 1),
    true = lists:all(fun(Other) -> Other =:= Pid end, shelf_events:subscribers(jars)).
