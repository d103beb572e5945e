%% Read and write some calls apart; the name travels as an argument, in a tuple.
-module(reg_far).
-export([main/0]).

main() -> one({name, far}).

one({name, N} = T) ->
    _ = check(N),
    two(T).

check(N) -> whereis(N) =/= undefined.           %% read: a

two({name, N}) -> three(N, self()).

three(N, Pid) -> register(N, Pid).              %% write: a
