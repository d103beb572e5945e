%% Commands of state machines, when PropEr is not installed. The tool replaces these functions by
%% its own while it tests a state machine; a property that is run unchanged needs PropEr, and the
%% tool says so when it meets this error.
-module(proper_statem).
-export([commands/1, commands/2, parallel_commands/1, parallel_commands/2, more_commands/2,
         run_commands/2, run_commands/3, run_parallel_commands/2, run_parallel_commands/3,
         command_names/1, zip/2]).

commands(_) -> error('$fermata_needs_proper').
commands(_, _) -> error('$fermata_needs_proper').
parallel_commands(_) -> error('$fermata_needs_proper').
parallel_commands(_, _) -> error('$fermata_needs_proper').
more_commands(_, _) -> error('$fermata_needs_proper').
run_commands(_, _) -> error('$fermata_needs_proper').
run_commands(_, _, _) -> error('$fermata_needs_proper').
run_parallel_commands(_, _) -> error('$fermata_needs_proper').
run_parallel_commands(_, _, _) -> error('$fermata_needs_proper').

command_names({Prefix, Branches}) -> command_names(lists:append([Prefix | Branches]));
command_names(Commands) -> [{M, F, length(Args)} || {set, _, {call, M, F, Args}} <- Commands].

zip([A | As], [B | Bs]) -> [{A, B} | zip(As, Bs)];
zip(_, _) -> [].
