-module(reg_other_name).
-export([go/0]).

go() ->
    case whereis(left) of
        undefined -> register(right, self());
        _ -> ok
    end.
