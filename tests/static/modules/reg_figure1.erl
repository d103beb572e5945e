%% Figure 1 of the paper: look whether the name is free, then take it.
-module(reg_figure1).
-export([proc_reg/1]).

proc_reg(Name) ->
    case whereis(Name) of                       %% read: a
        undefined ->
            Pid = spawn(fun() -> timer:sleep(1) end),
            register(Name, Pid);                %% write: a
        Pid ->
            Pid
    end.
