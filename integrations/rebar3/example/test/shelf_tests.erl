-module(shelf_tests).
-include_lib("eunit/include/eunit.hrl").

%% Each test has shelves of its own.
shelf_test_() ->
    {foreach, fun start/0, fun stop/1,
     [{"two additions", fun add_twice/0},
      {"the last book", fun take_the_last/0},
      {"there and back", fun move_both_ways/0}]}.

start() ->
    ok = application:load(shelf),
    {ok, Events} = shelf_events:start_link(),
    {ok, Shelf} = shelf:start_link(),
    [Shelf, Events].

stop(Servers) ->
    [gen_server:stop(Server) || Server <- Servers],
    application:unload(shelf).

%% Two processes call the functions, and this one waits for both answers.
together(Functions) ->
    Self = self(),
    [spawn_link(fun() -> Self ! {answer, Function()} end) || Function <- Functions],
    lists:sort([receive {answer, Answer} -> Answer end || _ <- Functions]).

add_twice() ->
    Add = fun() -> shelf:add(books, 1) end,
    ?assertEqual([ok, ok], together([Add, Add])),
    ?assertEqual(2, shelf:count(books)).

take_the_last() ->
    ok = shelf:add(books, 1),
    Take = fun() -> shelf:take(books, 1) end,
    ?assertEqual([empty, ok], together([Take, Take])).

move_both_ways() ->
    ok = shelf:add(books, 1),
    ok = shelf:add(maps, 1),
    together([fun() -> shelf:move(books, maps, 1) end, fun() -> shelf:move(maps, books, 1) end]),
    ?assertEqual([{books, 1}, {maps, 1}], shelf:all()).
