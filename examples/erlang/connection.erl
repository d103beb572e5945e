%% A gen_statem with a state timeout: a connection that gives up after 100 ms, while the answer
%% may still arrive.
%%
%% late_answer/0 is wrong: in state `idle` the late answer is not expected and the machine
%% crashes. late_answer_fixed/0 ignores it there.
%%
%% expect: late_answer => bug,abnormal-exit
%% expect: late_answer_fixed => proved
-module(connection).
-behaviour(gen_statem).
-export([late_answer/0, late_answer_fixed/0]).
-export([init/1, callback_mode/0, idle/3, connecting/3, connected/3]).

-record(data, {late, peer, from}).

late_answer() -> run(crash).
late_answer_fixed() -> run(ignore).

run(Late) ->
    {ok, Machine} = gen_statem:start(?MODULE, #data{late = Late, peer = spawn(fun peer/0)}, []),
    Result = gen_statem:call(Machine, connect, infinity),
    true = lists:member(Result, [connected, timeout]),
    gen_statem:stop(Machine).

%% The other side answers once.
peer() ->
    receive {hello, From} -> From ! hello_back end.

callback_mode() -> state_functions.

init(Data) -> {ok, idle, Data}.

idle({call, From}, connect, Data = #data{peer = Peer}) ->
    Peer ! {hello, self()},
    {next_state, connecting, Data#data{from = From}, [{state_timeout, 100, give_up}]};
idle(info, hello_back, #data{late = ignore}) ->
    keep_state_and_data.

connecting(info, hello_back, Data = #data{from = From}) ->
    {next_state, connected, Data, [{reply, From, connected}]};
connecting(state_timeout, give_up, Data = #data{from = From}) ->
    {next_state, idle, Data, [{reply, From, timeout}]}.

connected(_, _, _) -> keep_state_and_data.
