%% OTP's system processes: asked at once by default, explored like others with --system.
%%
%% Two processes load the same application; one of them must be told that it is already loaded.
%%
%% expect: load_twice --strategy dpor => proved
%% expect: load_twice --strategy dpor --system => proved
%% expect: which => proved
%% expect: which --system => proved
%%
%% Names and locks of `global` end with their process, within the step in which that tells its end.
%% expect: name_of_the_dead --strategy dpor => bug,abnormal-exit
%% expect: name_of_the_living --strategy dpor => bug,abnormal-exit
%% expect: lock_of_the_dead --strategy dpor => bug,abnormal-exit
%% expect: lock_of_the_living --strategy dpor => bug,abnormal-exit
%% expect: named_by_another --strategy dpor => bug,stuck
%% An answer of a system process comes before or behind the messages of others.
%% expect: answer_or_message --strategy dpor => bug,abnormal-exit
%% expect: ends_the_controller => lost-control
-module(system).
-export([load_twice/0, which/0, name_of_the_dead/0, name_of_the_living/0, lock_of_the_dead/0,
         lock_of_the_living/0, named_by_another/0, answer_or_message/0, ends_the_controller/0]).

load_twice() ->
    Self = self(),
    App = {application, small, [{vsn, "1"}, {modules, []}, {registered, []}, {applications, []}]},
    [spawn(fun() -> Self ! {loaded, application:load(App)} end) || _ <- [1, 2]],
    [ok, {error, {already_loaded, _}}] =
        lists:sort([receive {loaded, Result} -> Result end || _ <- [1, 2]]).

which() ->
    [_ | _] = application:which_applications().

name_of_the_dead() -> pid = kind(ask_for_name()).

name_of_the_living() -> undefined = kind(ask_for_name()).

kind(Pid) when is_pid(Pid) -> pid;
kind(undefined) -> undefined.

ask_for_name() ->
    P = spawn(fun() -> receive stop -> ok end end),
    yes = global:register_name(n, P),
    beside_kill(P, fun() -> global:whereis_name(n) end).

beside_kill(P, F) ->
    S = self(),
    spawn(fun() -> exit(P, kill) end),
    spawn(fun() -> S ! {result, F()} end),
    receive {result, Result} -> Result end.

lock_of_the_dead() -> true = ask_for_lock().

lock_of_the_living() -> false = ask_for_lock().

ask_for_lock() ->
    S = self(),
    P = spawn(fun() ->
        true = global:set_lock({l, self()}, [node()]),
        S ! locked,
        receive stop -> ok end end),
    receive locked -> ok end,
    beside_kill(P, fun() -> global:set_lock({l, self()}, [node()], 0) end).

%% The name is given to a process that ends, before or behind its end.
named_by_another() ->
    S = self(),
    P = spawn(fun() -> ok end),
    spawn(fun() -> S ! {result, global:register_name(n, P), global:whereis_name(n)} end),
    receive {result, yes, undefined} -> ok end.

answer_or_message() ->
    S = self(),
    spawn(fun() -> S ! first end),
    gen_server:send_request(application_controller, which_applications),
    receive First -> First =/= first orelse error(first) end.

ends_the_controller() ->
    exit(whereis(application_controller), kill).
