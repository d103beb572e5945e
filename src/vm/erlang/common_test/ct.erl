%% The functions of Common Test that a case calls, without its servers and logs.
%%
%% suite.c loads this module for `--ct` before the one of OTP. A function that is missing here is
%% undefined, so a case that calls it is reported and never passes by accident. Configuration
%% variables are those of `--config` (fermata_setup.erl) and of default_config; time limits do not
%% exist, because time is virtual.
-module(ct).
-export([get_config/1, get_config/2, get_config/3, require/1, require/2, default_config/2]).
-export([log/1, log/2, log/3, log/4, log/5, pal/1, pal/2, pal/3, pal/4, pal/5]).
-export([print/1, print/2, print/3, print/4, print/5, comment/1, comment/2]).
-export([fail/1, fail/2, sleep/1, timetrap/1, get_timetrap_info/0, make_priv_dir/0]).
-export([notify/2, sync_notify/2, userdata/2, get_progname/0]).

-define(VARIABLES, '$fermata_ct_config').

%% ---- configuration ----

get_config(Key) -> get_config(Key, undefined, []).
get_config(Key, Default) -> get_config(Key, Default, []).

get_config(Key, Default, Options) ->
    Values = values(Key),
    case {lists:member(all, Options), Values} of
        {true, _} -> Values;
        {false, []} -> Default;
        {false, [Value | _]} -> Value
    end.

require(Key) ->
    case values(Key) of
        [] -> {error, {not_available, Key}};
        _ -> ok
    end.

%% Name becomes another name of the variable.
require(Name, Key) ->
    case values(Key) of
        [] -> {error, {not_available, Key}};
        [Value | _] -> put_variable(Name, Value)
    end.

%% For the driver: a value that holds unless the variable has one.
default_config(Key, Value) ->
    values(Key) =:= [] andalso put_variable(Key, Value),
    ok.

put_variable(Key, Value) ->
    persistent_term:put(?VARIABLES, variables() ++ [{Key, Value}]),
    ok.

variables() -> persistent_term:get(?VARIABLES, []).

%% A key is a name, or {Name, Inner, …}: a value inside the value.
values(Key) when is_tuple(Key) -> inside(tuple_to_list(Key), variables());
values(Key) -> inside([Key], variables()).

inside([], _) -> [];
inside([Key], Pairs) -> [Value || {K, Value} <- Pairs, K =:= Key];
inside([Key | Keys], Pairs) ->
    lists:append([inside(Keys, Value) || {K, Value} <- Pairs, K =:= Key, is_list(Value)]).

%% ---- output: a category and an importance may stand in front ----

log(A) -> say([A]).
log(A, B) -> say([A, B]).
log(A, B, C) -> say([A, B, C]).
log(A, B, C, D) -> say([A, B, C, D]).
log(A, B, C, D, E) -> say([A, B, C, D, E]).
pal(A) -> say([A]).
pal(A, B) -> say([A, B]).
pal(A, B, C) -> say([A, B, C]).
pal(A, B, C, D) -> say([A, B, C, D]).
pal(A, B, C, D, E) -> say([A, B, C, D, E]).
print(A) -> say([A]).
print(A, B) -> say([A, B]).
print(A, B, C) -> say([A, B, C]).
print(A, B, C, D) -> say([A, B, C, D]).
print(A, B, C, D, E) -> say([A, B, C, D, E]).

say([Word | Rest]) when is_atom(Word); is_integer(Word) -> say(Rest);
say([Format]) -> say([Format, []]);
say([Format, Args | _]) -> io:format("~ts~n", [io_lib:format(Format, Args)]).

comment(_) -> ok.
comment(_, _) -> ok.

%% ---- the rest ----

-spec fail(term()) -> no_return().
fail(Reason) -> exit({test_case_failed, Reason}).

-spec fail(io:format(), [term()]) -> no_return().
fail(Format, Args) -> exit({test_case_failed, lists:flatten(io_lib:format(Format, Args))}).

sleep(infinity) -> timer:sleep(infinity);
sleep({hours, N}) -> sleep(N * 3600000);
sleep({minutes, N}) -> sleep(N * 60000);
sleep({seconds, N}) -> sleep(N * 1000);
sleep(Milliseconds) -> timer:sleep(trunc(Milliseconds)).

timetrap(_) -> ok.
get_timetrap_info() -> {infinity, {false, 1}}.
make_priv_dir() -> ok.
notify(_, _) -> ok.
sync_notify(_, _) -> ok.
get_progname() -> "fermata".

userdata(Suite, Function) ->
    case [Data || {userdata, Data} <- Suite:Function()] of
        [] -> {error, {no_userdata, Function}};
        Found -> lists:append([listed(Data) || Data <- Found])
    end.

listed(Data) when is_list(Data) -> Data;
listed(Data) -> [Data].
