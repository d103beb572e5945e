%% The read is in the body of a try, the write in its handler.
-module(reg_handler).
-export([go/1]).

go(F) ->
    try
        undefined = whereis(reg_handler),       %% read: a
        F()
    catch
        error:_ -> register(reg_handler, self()) %% write: a
    end.
