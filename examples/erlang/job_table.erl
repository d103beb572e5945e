%% Jobs in a public ordered table: whoever is free takes the first.
%%
%% take/0 reads the first key and deletes it: two workers can take the same job. take_fixed/0
%% asks ets:take/2 whether it was there, and tries the next if somebody else was faster.
%%
%% expect: each_once => bug,abnormal-exit
%% expect: each_once_fixed => proved
%% confirm: each_once => ets first delete confirmed
%% confirm: each_once_fixed => ets first delete not-reached
%% confirm: - => ets first delete confirmed
-module(job_table).
-export([open/0, take/0, take_fixed/0, each_once/0, each_once_fixed/0]).

open() ->
    ets:new(jobs, [named_table, public, ordered_set]),
    ets:insert(jobs, [{1, sweep}, {2, cook}]).

take() ->
    case ets:first(jobs) of
        '$end_of_table' -> none;
        Job -> ets:delete(jobs, Job), Job
    end.

take_fixed() ->
    case ets:first(jobs) of
        '$end_of_table' -> none;
        Job ->
            case ets:take(jobs, Job) of
                [{Job, _}] -> Job;
                [] -> take_fixed()
            end
    end.

each_once() -> [1, 2] = workers(fun take/0).
each_once_fixed() -> [1, 2] = workers(fun take_fixed/0).

workers(Take) ->
    open(),
    Self = self(),
    Pid = spawn(fun() -> Self ! {self(), Take()} end),
    Mine = Take(),
    receive {Pid, Its} -> lists:sort([Mine, Its]) end.
