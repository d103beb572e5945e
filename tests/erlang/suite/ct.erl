%% What suites of OTP call of common_test: for tests/erlang/suites.
-module(ct).
-export([comment/1, comment/2, fail/1, fail/2, get_config/1, get_config/2, get_timetrap_info/0,
         log/1, log/2, log/3, log/4, pal/1, pal/2, pal/3, pal/4, print/1, print/2, print/3,
         sleep/1, timetrap/1]).

comment(_) -> ok.
comment(_, _) -> ok.
fail(Reason) -> exit({test_case_failed, Reason}).
fail(Format, Arguments) ->
    exit({test_case_failed, lists:flatten(io_lib:format(Format, Arguments))}).
get_config(_) -> undefined.
get_config(_, Default) -> Default.
get_timetrap_info() -> {infinity, {false, 1}}.
log(_) -> ok.
log(_, _) -> ok.
log(_, _, _) -> ok.
log(_, _, _, _) -> ok.
pal(_) -> ok.
pal(_, _) -> ok.
pal(_, _, _) -> ok.
pal(_, _, _, _) -> ok.
print(_) -> ok.
print(_, _) -> ok.
print(_, _, _) -> ok.
sleep(Time) when is_integer(Time) -> timer:sleep(Time);
sleep({seconds, N}) -> timer:sleep(N * 1000);
sleep({minutes, N}) -> timer:sleep(N * 60000).
timetrap(_) -> ok.
