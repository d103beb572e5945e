%% ets:foldl gives each object to a fun, which writes it back. A fold that only adds up, and a write
%% of its sum elsewhere, is not about one key.
-module(ets_fold_table).
-export([init/0, bump/0, bump_named/1, sum/0]).

init() -> ets:new(ets_fold_table, [named_table, public]).

bump() ->
    ets:foldl(fun({Key, N}, _) ->                                   %% read: a
                  ets:insert(ets_fold_table, {Key, N + 1})            %% write: a
              end, ok, ets_fold_table).

bump_named(Name) ->
    ets:foldr(fun({Key, N}, Count) when Key =:= Name ->     %% read: b
                      ets:insert(ets_fold_table, {Key, N + 1}),       %% write: b
                      Count + 1;
                 (_, Count) -> Count
              end, 0, ets_fold_table).

sum() ->
    Sum = ets:foldl(fun({_, N}, Acc) -> N + Acc end, 0, ets_fold_table),
    ets:insert(ets_fold_table, {Sum, 0}).
