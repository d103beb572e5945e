-module(rate).
-behaviour(gen_server).
-export([test/0, start_link/0, allow/1, init/1, handle_call/3, handle_cast/2, handle_info/2]).
%% A limiter that resets its budget by a timeout of its own.
start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).
allow(N) -> gen_server:call(?MODULE, {allow, N}, 1000).
init([]) -> erlang:send_after(50, self(), refill), {ok, #{left => 1}}.
handle_call({allow, N}, _From, #{left := L} = S) when N =< L -> {reply, yes, S#{left := L - N}};
handle_call({allow, _}, From, S) -> {noreply, S#{waiting => From}}.
handle_cast(_, S) -> {noreply, S}.
handle_info(refill, S) ->
    case maps:take(waiting, S) of
        {From, T} -> gen_server:reply(From, yes), {noreply, T#{left := 0}};
        error -> {noreply, S#{left := 1}}
    end.
test() ->
    {ok, _} = start_link(),
    Self = self(),
    [spawn_link(fun() -> Self ! {done, catch allow(1)} end) || _ <- [1, 2, 3]],
    [receive {done, yes} -> ok end || _ <- [1, 2, 3]],
    ok.
