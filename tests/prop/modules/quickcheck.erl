%% A module for QuickCheck: generators of eqc_gen, commands of eqc_statem, a property of eqc.
%% draw/1 may sell one ticket twice.
-module(quickcheck).
-export([initial_state/0, prop_tickets/0]).
-export([draw/1, draw_args/1, draw_pre/1, draw_next/3, draw_post/3]).
-export([left/0, left_args/1, left_post/3]).

prop_tickets() ->
    eqc:forall(eqc_statem:parallel_commands(?MODULE), fun(Commands) ->
        ets:new(tickets, [named_table, public]),
        ets:insert(tickets, {left, 9}),
        {History, State, Result} = eqc_statem:run_parallel_commands(Commands),
        ets:delete(tickets),
        eqc_statem:pretty_commands(?MODULE, Commands, {History, State, Result}, Result =:= ok)
    end).

initial_state() -> 9.

draw(N) ->
    [{left, Left}] = ets:lookup(tickets, left),
    case Left >= N of
        true -> ets:insert(tickets, {left, Left - N}), Left;
        false -> sold_out
    end.
draw_args(_) -> [eqc_gen:oneof([eqc_gen:choose(1, 2), eqc_gen:return(3)])].
draw_pre(Left) -> Left > 2.
draw_next(Left, _, [N]) -> Left - N.
draw_post(Left, [_], Result) -> eqc_statem:eq(Result, Left).

left() -> ets:lookup_element(tickets, left, 2).
left_args(_) -> [].
left_post(Left, [], Result) -> eqc_statem:eq(Result, Left).
