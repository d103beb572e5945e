%% Programs whose processes change their behaviour in the ways that PBR knows, and one that
%% does not.
-module(behaviour).
-export([other_receive/0, other_fun/0, other_state/0, none/0]).
-export([init/1, callback_mode/0, closed/3, open/3]).

two_senders(To, Messages) ->
    [spawn(fun() -> To ! M end) || M <- Messages],
    ok.

%% After open it waits in another receive.
other_receive() -> two_senders(spawn(fun closed/0), [open, {put, 1}]).

closed() -> receive open -> opened(); {put, _} -> closed() end.
opened() -> receive _ -> opened() end.

%% The receive is the same, the function that handles messages is not.
other_fun() -> two_senders(spawn(fun() -> loop(fun first/1) end), [open, {put, 1}]).

loop(Handle) -> receive M -> loop(Handle(M)) end.
first(open) -> fun second/1;
first(_) -> fun first/1.
second(_) -> fun second/1.

%% A gen_statem changes its state.
other_state() ->
    {ok, Pid} = gen_statem:start(?MODULE, [], []),
    spawn(fun() -> gen_statem:cast(Pid, open) end),
    spawn(fun() -> gen_statem:cast(Pid, {put, 1}) end),
    ok.

callback_mode() -> state_functions.
init([]) -> {ok, closed, []}.
closed(cast, open, Data) -> {next_state, open, Data};
closed(cast, _, _) -> keep_state_and_data.
open(cast, _, _) -> keep_state_and_data.

none() -> two_senders(spawn(fun opened/0), [open, {put, 1}]).
