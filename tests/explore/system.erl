%% OTP's system processes: asked at once by default, explored like others with --system.
%%
%% Two processes load the same application; one of them must be told that it is already loaded.
%%
%% expect: load_twice --strategy dpor => proved
%% expect: load_twice --strategy dpor --system => proved
%% expect: which => proved
%% expect: which --system => proved
-module(system).
-export([load_twice/0, which/0]).

load_twice() ->
    Self = self(),
    App = {application, small, [{vsn, "1"}, {modules, []}, {registered, []}, {applications, []}]},
    [spawn(fun() -> Self ! {loaded, application:load(App)} end) || _ <- [1, 2]],
    [ok, {error, {already_loaded, _}}] =
        lists:sort([receive {loaded, Result} -> Result end || _ <- [1, 2]]).

which() ->
    [_ | _] = application:which_applications().
