%% A finite state machine as proper_fsm has them. push/0 looks whether the turnstile is open and
%% closes it in two steps: two visitors get in with one coin.
-module(turnstile).
-export([initial_state/0, initial_state_data/0, closed/1, open/1, precondition/4,
         next_state_data/5, postcondition/5, weight/3]).
-export([setup/0, coin/0, push/0]).

setup() -> ets:new(turnstile, [named_table, public]), ets:insert(turnstile, {is_open, false}).

initial_state() -> closed.
initial_state_data() -> 0.

closed(_) -> [{open, {call, ?MODULE, coin, []}}, {history, {call, ?MODULE, push, []}}].
open(_) -> [{history, {call, ?MODULE, coin, []}}, {closed, {call, ?MODULE, push, []}}].

precondition(_, _, _, _) -> true.

next_state_data(open, closed, In, _, {call, _, push, []}) -> In + 1;
next_state_data(_, _, In, _, _) -> In.

postcondition(open, closed, _, {call, _, push, []}, Result) -> Result =:= in;
postcondition(closed, closed, _, {call, _, push, []}, Result) -> Result =:= blocked;
postcondition(_, open, _, {call, _, coin, []}, Result) -> Result =:= true.

weight(_, _, {call, _, push, _}) -> 2;
weight(_, _, _) -> 1.

coin() -> ets:insert(turnstile, {is_open, true}).

push() ->
    case ets:lookup(turnstile, is_open) of
        [{_, true}] -> ets:insert(turnstile, {is_open, false}), in;
        [{_, false}] -> blocked
    end.
