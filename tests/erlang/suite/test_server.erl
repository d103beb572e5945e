%% What suites of OTP call of test_server: for tests/erlang/suites.
-module(test_server).
-export([comment/1, do_times/2, do_times/4, fail/0, fail/1, format/1, format/2, format/3,
         is_cover/0, is_native/1, lookup_config/2, seconds/1, minutes/1, hours/1, os_type/0,
         timetrap/1, timetrap_cancel/0, timetrap_cancel/1, timetrap_scale_factor/0, sleep/1,
         is_debug/0]).

comment(_) -> ok.
do_times(0, _) -> ok;
do_times(N, Function) -> Function(), do_times(N - 1, Function).
do_times(0, _, _, _) -> ok;
do_times(N, M, F, A) -> apply(M, F, A), do_times(N - 1, M, F, A).
fail() -> exit(suite_failed).
fail(Reason) -> exit({suite_failed, Reason}).
format(_) -> ok.
format(_, _) -> ok.
format(_, _, _) -> ok.
is_cover() -> false.
is_debug() -> false.
is_native(_) -> false.
lookup_config(Key, Config) -> proplists:get_value(Key, Config).
seconds(N) -> N * 1000.
minutes(N) -> N * 60000.
hours(N) -> N * 3600000.
os_type() -> os:type().
timetrap(_) -> make_ref().
timetrap_cancel() -> ok.
timetrap_cancel(_) -> ok.
timetrap_scale_factor() -> 1.
sleep(Time) -> timer:sleep(Time).
