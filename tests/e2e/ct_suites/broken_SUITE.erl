%% Cases that cannot be run, and one that can.
-module(broken_SUITE).
-compile([export_all, nowarn_export_all]).

suite() -> [{ct_hooks, [some_hook]}].
all() -> [fine, no_setup, {group, bad}, missing, odd, captures].
groups() -> [{bad, [], [fine]}].
init_per_group(bad, _) -> error(no_group).
end_per_group(_, _) -> ok.
init_per_testcase(no_setup, _) -> {fail, nothing_works};
init_per_testcase(odd, _) -> ok;
init_per_testcase(_, Config) -> Config.
fine(_) -> ok.
no_setup(_) -> ok.
odd(_) -> ok.
captures(_) -> ct:capture_start().
