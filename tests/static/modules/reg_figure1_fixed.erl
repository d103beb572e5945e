%% The usual repair of figure 1: take the name and see whether that worked.
-module(reg_figure1_fixed).
-export([proc_reg/1]).

proc_reg(Name) ->
    Pid = spawn(fun() -> timer:sleep(1) end),
    try register(Name, Pid) of
        true -> Pid
    catch
        error:badarg -> exit(Pid, kill), whereis(Name)
    end.
