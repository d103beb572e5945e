%% Answers have no reference: one that comes after its time is taken for that of the next question.
-module(late_answer).
-export([test/0]).

ask(Server, Key) ->
    Server ! {ask, self(), Key},
    receive {answer, Value} -> Value after 500 -> unknown end.

serve(Values) ->
    receive
        {ask, From, Key} ->
            From ! {answer, maps:get(Key, Values)},
            serve(Values);
        stop ->
            ok
    end.

test() ->
    Server = spawn(fun() -> serve(#{a => 1, b => 2}) end),
    First = ask(Server, a),
    Second = ask(Server, b),
    Server ! stop,
    true = lists:member(First, [1, unknown]),
    true = lists:member(Second, [2, unknown]).
