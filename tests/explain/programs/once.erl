%% Calls that read: what each has found decides.
-module(once).
-export([test/0, read/0, tick/0]).

%% Two processes find no configuration, and both make one.
configure(Made) ->
    case persistent_term:get(config, none) of
        none ->
            persistent_term:put(config, self()),
            1 = atomics:add_get(Made, 1, 1);
        _ ->
            ok
    end.

test() ->
    Made = atomics:new(1, []),
    Refs = [element(2, spawn_monitor(fun() -> configure(Made) end)) || _ <- [1, 2]],
    [receive {'DOWN', Ref, process, _, normal} -> ok end || Ref <- Refs],
    persistent_term:erase(config).

%% The element is read before it is there.
read() ->
    ets:new(once, [named_table, public]),
    {_, Ref} = spawn_monitor(fun() -> 1 = ets:lookup_element(once, key, 2) end),
    ets:insert(once, {key, 1}),
    receive {'DOWN', Ref, process, _, normal} -> ok end.

%% The timer has fired before it is cancelled.
tick() ->
    Timer = erlang:send_after(5, self(), tick),
    receive after 5 -> ok end,
    true = is_integer(erlang:cancel_timer(Timer)).
