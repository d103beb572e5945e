%% gen_event: two events are published at once and then counted.
%%
%% lost_event/0 is wrong: it treats publishing as done when notify/2 has returned in one of the
%% publishers, so the count may be read too early. counted/0 uses sync_notify/2 and waits.
%%
%% expect: lost_event => bug,abnormal-exit
%% expect: counted => proved
-module(events).
-behaviour(gen_event).
-export([lost_event/0, counted/0]).
-export([init/1, handle_event/2, handle_call/2]).

lost_event() -> run(asynchronous).
counted() -> run(synchronous).

run(How) ->
    {ok, Manager} = gen_event:start(),
    ok = gen_event:add_handler(Manager, ?MODULE, 0),
    {_, Monitor} = spawn_monitor(fun() -> publish_two(How, Manager) end),
    receive {'DOWN', Monitor, process, _, Reason} -> normal = Reason end,
    2 = gen_event:call(Manager, ?MODULE, count, infinity),
    gen_event:stop(Manager).

publish_two(How, Manager) ->
    Self = self(),
    spawn(fun() -> publish(How, Manager), Self ! published end),
    publish(How, Manager),
    wait(How).

publish(asynchronous, Manager) -> gen_event:notify(Manager, event);
publish(synchronous, Manager) -> gen_event:sync_notify(Manager, event).

wait(asynchronous) -> ok;
wait(synchronous) -> receive published -> ok end.

init(Count) -> {ok, Count}.

handle_event(event, Count) -> {ok, Count + 1}.

handle_call(count, Count) -> {ok, Count, Count}.
