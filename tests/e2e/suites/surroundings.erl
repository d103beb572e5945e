-module(surroundings).
-export([variable/0, folder/0]).

%% Fails if the variable is set and the second message comes first.
variable() ->
    fail_if(os:getenv("SURROUNDINGS") =:= "fails").

%% The same if the file is in the folder.
folder() ->
    fail_if(filelib:is_file("here.txt")).

fail_if(Fails) ->
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- [1, 2]],
    receive
        2 when Fails -> exit(second);
        _ -> ok
    end.
