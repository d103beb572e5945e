%% Callbacks per command, as eqc_statem has them. inc/1 loses increments; the other commands and a
%% command that may never be generated are there to be right.
-module(grouped).
-export([initial_state/0, setup/0, cleanup/0, weight/2]).
-export([inc/1, inc_args/1, inc_next/3, inc_post/3]).
-export([open/0, open_args/1, open_pre/1, open_next/3]).
-export([get/2, get_args/1, get_pre/2, get_post/3]).
-export([never/0, never_args/1, never_pre/1]).

setup() -> ets:new(grouped, [named_table, public]), ets:insert(grouped, {n, 0}).
cleanup() -> ets:delete(grouped).

initial_state() -> closed.

weight(_, inc) -> 3;
weight(_, _) -> 1.

open() -> ok.
open_args(_) -> [].
open_pre(S) -> S =:= closed.
open_next(closed, _, []) -> 0.

inc(By) ->
    [{n, N}] = ets:lookup(grouped, n),
    ets:insert(grouped, {n, N + By}),
    N + By.
inc_args(_) -> [proper_types:range(1, 3)].
inc_next(closed, _, [By]) -> By;
inc_next(S, _, [By]) -> S + By.
inc_post(closed, [By], Result) -> inc_post(0, [By], Result);
inc_post(S, [By], Result) when Result =:= S + By -> true;
inc_post(S, [By], Result) -> {Result, '/=', S + By}.

get(a, b) -> 1;
get(_, _) -> 0.
get_args(_) -> [proper_types:elements([a, b]), proper_types:elements([a, b])].
get_pre(_, [X, Y]) -> X =/= Y.
get_post(_, [a, b], Result) -> Result =:= 1;
get_post(_, [b, a], Result) -> Result =:= 0.

never() -> error(never).
never_args(_) -> error(never).
never_pre(_) -> false.
