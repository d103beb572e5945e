%% Two variables with one value: not by flow, but because a test on the way to the write says so.
-module(reg_tested_equal).
-export([matched/2, constant/2, tuple/4, later/3, loose/3, tested_too_late/3, called/2]).

matched(Name, Pid) ->
    Wanted = logger_proxy,
    case whereis(Name) of                       %% read: a
        undefined ->
            case Name of
                Wanted -> register(Wanted, Pid); %% write: a
                _ -> ok
            end;
        _ -> ok
    end.

constant(Name, Pid) ->
    case whereis(Name) of                       %% read: b
        undefined when Name =/= my_server -> ok;
        undefined -> register(my_server, Pid);  %% write: b
        _ -> ok
    end.

tuple(Name, Pid, Other, Owner) ->
    case whereis(Name) of                       %% read: c
        undefined when {Name, Pid} =:= {Other, Owner} -> register(Other, Owner); %% write: c
        _ -> ok
    end.

%% The result of the comparison is kept and asked for later.
later(Name, Other, Pid) ->
    Is = Name =:= Other,
    Free = whereis(Name),                       %% read: d
    io:format("~p~n", [Is]),
    case Is of
        true when Free =:= undefined -> register(Other, Pid); %% write: d
        _ -> Free
    end.

loose(Name, Other, Pid) ->
    case whereis(Name) of                       %% read: e
        undefined when Name == Other -> register(Other, Pid); %% write: e
        _ -> ok
    end.

%% The two are compared, but the write is on the side on which they differ.
tested_too_late(Name, Other, Pid) ->
    case whereis(Name) of                       %% read: f [--all]
        undefined when Name =:= Other -> ok;
        undefined -> register(Other, Pid);      %% write: f [--all]
        _ -> ok
    end.

%% The test can never succeed with these arguments.
called(Pid, X) ->
    if_equal(one_name, other_name, Pid, X).

if_equal(Name, Other, Pid, X) ->
    io:format("~p~n", [X]),
    case whereis(Name) of
        undefined when Name =:= Other -> register(Other, Pid);
        _ -> ok
    end.
