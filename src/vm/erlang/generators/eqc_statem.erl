%% Commands of QuickCheck's state machines, as PropEr's.
-module(eqc_statem).
-export([commands/1, commands/2, parallel_commands/1, parallel_commands/2, run_commands/1,
         run_commands/2, run_commands/3, run_parallel_commands/1, run_parallel_commands/2,
         run_parallel_commands/3, command_names/1, pretty_commands/4, eq/2]).

commands(Module) -> proper_statem:commands(Module).
commands(Module, Initial) -> proper_statem:commands(Module, Initial).
parallel_commands(Module) -> proper_statem:parallel_commands(Module).
parallel_commands(Module, Initial) -> proper_statem:parallel_commands(Module, Initial).

run_commands(Commands) -> proper_statem:run_commands(?MODULE, Commands).
run_commands(Module, Commands) -> proper_statem:run_commands(Module, Commands).
run_commands(Module, Commands, Env) -> proper_statem:run_commands(Module, Commands, Env).
run_parallel_commands(Commands) -> proper_statem:run_parallel_commands(?MODULE, Commands).
run_parallel_commands(Module, Commands) -> proper_statem:run_parallel_commands(Module, Commands).
run_parallel_commands(Module, Commands, Env) ->
    proper_statem:run_parallel_commands(Module, Commands, Env).

command_names(Commands) -> proper_statem:command_names(Commands).
pretty_commands(_, _, _, Test) -> Test.

%% A postcondition that says what is wrong.
eq(Same, Same) -> true;
eq(A, B) -> {A, '/=', B}.
