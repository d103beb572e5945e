%% A supervisor starts the counter again; the test goes on with the process that has ended.
-module(old_pid).
-behaviour(gen_server).
-export([test/0]).
-export([init/1, handle_call/3, handle_cast/2]).

init(sup) ->
    Child = {gen_server, start_link, [{local, counter}, ?MODULE, counter, []]},
    {ok, {#{}, [#{id => counter, start => Child}]}};
init(counter) ->
    {ok, 0}.

handle_call({add, N}, _, Sum) -> {reply, ok, Sum + N};
handle_call(sum, _, Sum) -> {reply, Sum, Sum}.

handle_cast(reset, Sum) -> {stop, {shutdown, reset}, Sum}.

test() ->
    {ok, _} = supervisor:start_link(?MODULE, sup),
    Counter = whereis(counter),
    spawn(fun() -> gen_server:cast(Counter, reset) end),
    ok = gen_server:call(Counter, {add, 5}),
    ok = gen_server:call(Counter, {add, 7}),
    12 = gen_server:call(Counter, sum).
