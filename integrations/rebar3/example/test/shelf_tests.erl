-module(shelf_tests).
-include_lib("eunit/include/eunit.hrl").

%% Two processes call the function, and this one waits for both answers.
together(Fun) ->
    Self = self(),
    [spawn_link(fun() -> Self ! {answer, Fun()} end) || _ <- [1, 2]],
    lists:sort([receive {answer, Answer} -> Answer end || _ <- [1, 2]]).

add_test() ->
    {ok, _} = shelf:start_link(),
    together(fun() -> shelf:add(books, 1) end),
    ?assertEqual(2, shelf:count(books)),
    shelf:stop().

take_test() ->
    {ok, _} = shelf:start_link(),
    shelf:add(books, 1),
    ?assertEqual([empty, ok], together(fun() -> shelf:take(books, 1) end)),
    shelf:stop().
