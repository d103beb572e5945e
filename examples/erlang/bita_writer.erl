%% The message-ordering bug of Listing 1 of the Bita paper. Each action sends its result to the
%% writer and then tells the terminator that it is done; when all are, the terminator tells the
%% writer to flush. A write that arrives after the flush finds no results to append to.
%%
%% one_action/0 and two_actions/0 are wrong wherever messages of different senders can overtake
%% each other (--delivery async, as in Akka); on one node the write is there first. In
%% one_action_fixed/0 and two_actions_fixed/0 it is the writer that tells the terminator.
%%
%% expect: one_action => proved
%% expect: one_action --delivery async => bug,abnormal-exit
%% expect: two_actions --delivery async => bug,abnormal-exit
%% expect: two_actions --delivery async --strategy coverage --criterion pr --max-runs 10 => bug
%% expect: one_action_fixed --delivery async => proved
%% expect: two_actions_fixed --delivery async => proved
-module(bita_writer).
-export([one_action/0, two_actions/0, one_action_fixed/0, two_actions_fixed/0]).

one_action() -> run(1, racy).
two_actions() -> run(2, racy).
one_action_fixed() -> run(1, fixed).
two_actions_fixed() -> run(2, fixed).

run(N, Kind) ->
    Main = self(),
    Writer = spawn(fun() -> writer([]) end),
    Terminator = spawn(fun() -> terminator(N, Writer, Main) end),
    Actions = [spawn(fun() -> action(Name, Kind, Terminator, Writer) end)
               || Name <- lists:seq(1, N)],
    [A ! execute || A <- Actions],
    receive {flushed, Records} -> N = length(Records) end,
    Writer ! stop.

writer(Results) ->
    receive
        {write, Result} when is_list(Results) ->
            writer([Result | Results]);
        {write, Result, Terminator} ->
            Terminator ! action_done,
            writer([Result | Results]);
        {flush, From} ->
            From ! {flushed, Results},
            writer(flushed);
        {write, _} ->
            error({written_after_flush, Results});
        stop ->
            ok
    end.

action(Name, Kind, Terminator, Writer) ->
    receive execute -> ok end,
    act(Kind, Name, Terminator, Writer).

act(racy, Name, Terminator, Writer) ->
    Writer ! {write, Name},
    Terminator ! action_done;
act(fixed, Name, Terminator, Writer) ->
    Writer ! {write, Name, Terminator}.

terminator(0, Writer, Main) ->
    Writer ! {flush, self()},
    receive {flushed, Records} -> Main ! {flushed, Records} end;
terminator(Left, Writer, Main) ->
    receive action_done -> terminator(Left - 1, Writer, Main) end.
