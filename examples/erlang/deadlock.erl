%% Processes that wait for each other, and processes that wait for what never comes.
%%
%% two_servers/0 is wrong: two servers call each other in the middle of a request. one_way/0 is
%% its fix. forks/0 is wrong: two philosophers take their forks in different order; forks_fixed/0
%% in the same. lost_message/0 is wrong: a message is sent by name before the name is there, and
%% the sender catches the error, so the receiver waits for ever.
%%
%% expect: two_servers => bug,deadlock
%% expect: one_way => proved
%% expect: forks => bug,deadlock
%% expect: forks_fixed => proved
%% expect: lost_message => bug,stuck
%% expect: lost_message_fixed => proved
-module(deadlock).
-behaviour(gen_server).
-export([two_servers/0, one_way/0, forks/0, forks_fixed/0, lost_message/0,
         lost_message_fixed/0]).
-export([init/1, handle_call/3, handle_cast/2]).

two_servers() -> servers(fun(A, B) -> [{A, {ask, B}}, {B, {ask, A}}] end).
one_way() -> servers(fun(A, B) -> [{A, {ask, B}}, {A, {ask, B}}] end).

servers(Requests) ->
    {ok, A} = gen_server:start(?MODULE, a, []),
    {ok, B} = gen_server:start(?MODULE, b, []),
    at_once([fun() -> gen_server:call(S, R, infinity) end || {S, R} <- Requests(A, B)]),
    gen_server:stop(A),
    gen_server:stop(B).

forks() -> philosophers([[left, right], [right, left]]).
forks_fixed() -> philosophers([[left, right], [left, right]]).

philosophers(Orders) ->
    Forks = #{left => spawn(fun fork_lies/0), right => spawn(fun fork_lies/0)},
    at_once([fun() -> eat([maps:get(F, Forks) || F <- Order]) end || Order <- Orders]),
    [F ! stop || F <- maps:values(Forks)].

eat(Forks) ->
    [begin F ! {take, self()}, receive {taken, F} -> ok end end || F <- Forks],
    [F ! put_down || F <- Forks].

fork_lies() ->
    receive
        {take, Who} -> Who ! {taken, self()}, receive put_down -> fork_lies() end;
        stop -> ok
    end.

lost_message() -> greet(fun(_) -> ok end).
lost_message_fixed() -> greet(fun(Ready) -> receive Ready -> ok end end).

greet(Wait) ->
    Self = self(),
    Ready = make_ref(),
    {_, Monitor} = spawn_monitor(fun() -> register(greeted, self()), Self ! Ready,
                                          receive hello -> ok end
                                 end),
    Wait(Ready),
    _ = try greeted ! hello catch error:badarg -> not_yet end,
    receive {'DOWN', Monitor, process, _, _} -> ok end.

at_once(Funs) ->
    Monitors = [spawn_monitor(Fun) || Fun <- Funs],
    [receive {'DOWN', M, process, _, Reason} -> normal = Reason end || {_, M} <- Monitors].

init(Name) -> {ok, Name}.

handle_call({ask, Other}, _From, Name) ->
    {reply, {Name, gen_server:call(Other, name, infinity)}, Name};
handle_call(name, _From, Name) ->
    {reply, Name, Name}.

handle_cast(_, Name) -> {noreply, Name}.
