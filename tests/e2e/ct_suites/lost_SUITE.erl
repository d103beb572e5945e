%% init_per_suite fails.
-module(lost_SUITE).
-export([all/0, init_per_suite/1, end_per_suite/1, one/1]).

all() -> [one].
init_per_suite(_) -> exit(no_database).
end_per_suite(_) -> ok.
one(_) -> ok.
