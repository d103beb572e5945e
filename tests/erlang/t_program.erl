%% Small complete programs: parsers, searches, simulations.
-module(t_program).
-export([json/0, calculator/0, life/0, dijkstra/0, huffman/0, sudoku/0, primes/0, big_primes/0,
         sha1/0, n_body/0, matrix_power/0, levenshtein/0, roman/0, hanoi/0, brainfuck/0,
         regex_matcher/0, bank/0, prime_sieve_processes/0]).
-include("t.hrl").

%% A JSON reader and writer.
json() ->
    Text = <<"{\"a\": [1, -2.5e3, true, null], \"b\": {\"c\": \"x\\ny\\u00e9\"}, \"d\": []}">>,
    {Value, <<>>} = json_value(Text),
    {Value, iolist_to_binary(json_write(Value))}.

json_value(<<C, R/binary>>) when C =:= $\s; C =:= $\n -> json_value(R);
json_value(<<"true", R/binary>>) -> {true, R};
json_value(<<"false", R/binary>>) -> {false, R};
json_value(<<"null", R/binary>>) -> {null, R};
json_value(<<"\"", R/binary>>) -> json_string(R, <<>>);
json_value(<<"[", R/binary>>) -> json_list(skip(R), []);
json_value(<<"{", R/binary>>) -> json_object(skip(R), #{});
json_value(B) -> json_number(B, []).
skip(<<C, R/binary>>) when C =:= $\s; C =:= $\n; C =:= $, -> skip(R);
skip(B) -> B.
json_list(<<"]", R/binary>>, Acc) -> {lists:reverse(Acc), R};
json_list(B, Acc) -> {V, R} = json_value(B), json_list(skip(R), [V | Acc]).
json_object(<<"}", R/binary>>, Acc) -> {Acc, R};
json_object(<<"\"", B/binary>>, Acc) ->
    {K, R} = json_string(B, <<>>),
    <<":", S/binary>> = skip(R),
    {V, T} = json_value(S),
    json_object(skip(T), Acc#{K => V}).

json_string(<<"\"", R/binary>>, Acc) -> {Acc, R};
json_string(<<"\\n", R/binary>>, Acc) -> json_string(R, <<Acc/binary, $\n>>);
json_string(<<"\\u", H:4/binary, R/binary>>, Acc) ->
    json_string(R, <<Acc/binary, (binary_to_integer(H, 16))/utf8>>);
json_string(<<C/utf8, R/binary>>, Acc) -> json_string(R, <<Acc/binary, C/utf8>>).

json_number(<<C, R/binary>>, Acc) when C >= $0, C =< $9; C =:= $-; C =:= $.; C =:= $e ->
    json_number(R, [C | Acc]);
json_number(R, Acc) -> {number(lists:reverse(Acc)), R}.

number(S) -> case lists:member($., S) of true -> list_to_float(S); false -> list_to_integer(S) end.

json_write(M) when is_map(M) ->
    ["{", lists:join(",", [[json_write(K), ":", json_write(V)] || {K, V} <- maps:to_list(M)]),
     "}"];
json_write(L) when is_list(L) -> ["[", lists:join(",", [json_write(V) || V <- L]), "]"];
json_write(B) when is_binary(B) -> ["\"", binary:replace(B, <<"\n">>, <<"\\n">>, [global]), "\""];
json_write(A) when is_atom(A) -> atom_to_list(A);
json_write(F) when is_float(F) -> float_to_list(F, [short]);
json_write(I) -> integer_to_list(I).

%% Expressions: scanner, parser by precedence, evaluator.
calculator() ->
    [?TRY(calc(S)) || S <- ["1+2*3", "(1+2)*3", "10/4", "2^3^2", "-5+3", "1+", "2*(3+4)*5",
                            "7-2-1", "1/0", ""]].

calc(S) -> {V, []} = expr(scan(S), 0), V.
scan([]) -> [];
scan([C | R]) when C >= $0, C =< $9 ->
    {D, T} = lists:splitwith(fun(X) -> X >= $0 andalso X =< $9 end, [C | R]),
    [list_to_integer(D) | scan(T)];
scan([C | R]) -> [list_to_atom([C]) | scan(R)].

expr(Ts, Min) -> {L, R} = prefix(Ts), infix(L, R, Min).
prefix([N | R]) when is_integer(N) -> {N, R};
prefix(['-' | R]) -> {V, S} = expr(R, 9), {-V, S};
prefix(['(' | R]) -> {V, [')' | S]} = expr(R, 0), {V, S}.

infix(L, [Op | R], Min) when Op =/= ')' ->
    case power(Op) of
        P when P >= Min -> {V, S} = expr(R, if Op =:= '^' -> P; true -> P + 1 end),
            infix(apply_op(Op, L, V), S, Min);
        _ -> {L, [Op | R]}
    end;
infix(L, R, _) -> {L, R}.

power('+') -> 1;
power('-') -> 1;
power('*') -> 2;
power('/') -> 2;
power('^') -> 3.
apply_op('+', A, B) -> A + B;
apply_op('-', A, B) -> A - B;
apply_op('*', A, B) -> A * B;
apply_op('/', A, B) -> A / B;
apply_op('^', A, B) -> round(math:pow(A, B)).

%% Conway's life on a set of cells.
life() ->
    lists:sort(sets:to_list(life(10, sets:from_list([{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}])))).
life(0, Cells) -> Cells;
life(N, Cells) ->
    Counts = lists:foldl(fun(C, M) -> maps:update_with(C, fun(X) -> X + 1 end, 1, M) end, #{},
                         [{X + DX, Y + DY} || {X, Y} <- sets:to_list(Cells), DX <- [-1, 0, 1],
                          DY <- [-1, 0, 1], {DX, DY} =/= {0, 0}]),
    life(N - 1, sets:from_list([C || {C, K} <- maps:to_list(Counts),
                                K =:= 3 orelse (K =:= 2 andalso sets:is_element(C, Cells))])).

%% Shortest paths.
dijkstra() ->
    G = #{a => [{b, 7}, {c, 9}, {f, 14}], b => [{a, 7}, {c, 10}, {d, 15}],
         c => [{a, 9}, {b, 10}, {d, 11}, {f, 2}], d => [{b, 15}, {c, 11}, {e, 6}],
         e => [{d, 6}, {f, 9}], f => [{a, 14}, {c, 2}, {e, 9}]},
    dijkstra(gb_sets:singleton({0, a}), G, #{}).
dijkstra(Q, G, Done) ->
    case gb_sets:is_empty(Q) of
        true -> Done;
        false ->
            {{D, N}, R} = gb_sets:take_smallest(Q),
            case Done of
                #{N := _} -> dijkstra(R, G, Done);
                #{} -> dijkstra(lists:foldl(fun({M, W}, S) ->
                    gb_sets:add_element({D + W, M}, S) end, R, maps:get(N, G)), G, Done#{N => D})
            end
    end.

%% Huffman codes.
huffman() ->
    Text = "this is an example of a huffman tree",
    Counts = lists:foldl(fun(C, M) -> maps:update_with(C, fun(X) -> X + 1 end, 1, M) end, #{},
                         Text),
    Tree = huffman(lists:sort([{N, [C]} || {C, N} <- maps:to_list(Counts)])),
    Codes = maps:from_list(codes(Tree, <<>>)),
    Bits = << <<(maps:get(C, Codes))/bits>> || C <- Text >>,
    {bit_size(Bits), decode(Bits, Tree, Tree), Text =:= decode(Bits, Tree, Tree)}.
huffman([{_, T}]) -> T;
huffman([{A, X}, {B, Y} | R]) -> huffman(lists:sort([{A + B, {X, Y}} | R])).

codes({L, R}, P) -> codes(L, <<P/bits, 0:1>>) ++ codes(R, <<P/bits, 1:1>>);
codes([C], P) -> [{C, P}].
decode(<<0:1, R/bits>>, {L, _}, T) -> decode_node(L, R, T);
decode(<<1:1, R/bits>>, {_, L}, T) -> decode_node(L, R, T);
decode(<<>>, _, _) -> [].
decode_node([C], R, T) -> [C | decode(R, T, T)];
decode_node(N, R, T) -> decode(R, N, T).

%% Sudoku by constraint and search (a small one: 4 by 4).
sudoku() -> solve([1, 0, 0, 0, 0, 0, 3, 0, 0, 4, 0, 0, 0, 0, 0, 2]).

solve(Cells) ->
    case string:str(Cells, [0]) of
        0 -> Cells;
        I -> first([fun() -> solve(lists:sublist(Cells, I - 1) ++ [V] ++ lists:nthtail(I,
            Cells)) end || V <- [1, 2, 3, 4], fits(I - 1, V, Cells)])
    end.

first([]) -> none;
first([F | R]) -> case F() of none -> first(R); X -> X end.

fits(I, V, Cells) ->
    {X, Y} = {I rem 4, I div 4},
    not lists:any(fun({J, C}) -> {A, B} = {J rem 4, J div 4},
                      C =:= V andalso (A =:= X orelse B =:= Y orelse (
                                           A div 2 =:= X div 2 andalso B div 2 =:= Y div 2)) end,
                  lists:zip(lists:seq(0, 15), Cells)).

%% Miller-Rabin over big integers.
primes() -> [N || N <- lists:seq(2, 100), prime(N)].

big_primes() ->
    [prime(N) || N <- [(1 bsl 61) - 1, (1 bsl 89) - 1, (1 bsl 67) - 1, 1000000007 * 998244353]].

prime(2) -> true;
prime(N) when N < 2; N rem 2 =:= 0 -> false;
prime(N) ->
    {D, S} = odd(N - 1, 0),
    lists:all(fun(A) -> A rem N =:= 0 orelse witness(modpow(A, D, N), N, S) end,
              [2, 3, 5, 7, 11, 13, 17]).

odd(D, S) when D rem 2 =:= 0 -> odd(D div 2, S + 1);
odd(D, S) -> {D, S}.
witness(1, _, _) -> true;
witness(X, N, _) when X =:= N - 1 -> true;
witness(_, _, S) when S =< 1 -> false;
witness(X, N, S) -> witness2(X * X rem N, N, S - 1).
witness2(X, N, _) when X =:= N - 1 -> true;
witness2(_, _, S) when S =< 1 -> false;
witness2(X, N, S) -> witness2(X * X rem N, N, S - 1).
modpow(_, 0, _) -> 1;
modpow(B, E, M) ->
    H = modpow(B * B rem M, E div 2, M),
    if E rem 2 =:= 1 -> H * B rem M; true -> H end.

%% SHA-1 by hand, over 32-bit arithmetic.
sha1() -> [binary:encode_hex(sha1(B)) || B <- [<<>>, <<"abc">>, binary:copy(<<"a">>, 200)]].
sha1(B) ->
    Pad = (55 - byte_size(B)) band 63,
    sha1(<<B/binary, 128, 0:(Pad * 8), (bit_size(B)):64>>,
         {16#67452301, 16#EFCDAB89, 16#98BADCFE, 16#10325476, 16#C3D2E1F0}).
sha1(<<>>, {A, B, C, D, E}) -> <<A:32, B:32, C:32, D:32, E:32>>;
sha1(<<Block:64/binary, R/binary>>, {A, B, C, D, E}) ->
    W = schedule([X || <<X:32>> <= Block], 16),
    {F, G, H, I, J} = rounds(W, 0, {A, B, C, D, E}),
    M = 16#FFFFFFFF,
    sha1(R, {(A + F) band M, (B + G) band M, (C + H) band M, (D + I) band M, (E + J) band M}).

schedule(W, 80) -> W;
schedule(W, N) ->
    schedule(W ++ [rol(lists:nth(N - 2, W) bxor lists:nth(N - 7, W) bxor lists:nth(N - 13,
      W) bxor lists:nth(N - 15, W), 1)], N + 1).

rol(X, N) -> ((X bsl N) bor (X bsr (32 - N))) band 16#FFFFFFFF.
rounds([], _, S) -> S;
rounds([W | R], T, {A, B, C, D, E}) ->
    {F, K} = if T < 20 -> {(B band C) bor ((bnot B) band D band 16#FFFFFFFF), 16#5A827999};
                 T < 40 -> {B bxor C bxor D, 16#6ED9EBA1}; T < 60 ->
                 {(B band C) bor (B band D) bor (C band D), 16#8F1BBCDC}; true ->
                 {B bxor C bxor D, 16#CA62C1D6} end,
    rounds(R, T + 1, {(rol(A, 5) + F + E + K + W) band 16#FFFFFFFF, A, rol(B, 30), C, D}).

%% N bodies in floating point.
n_body() ->
    energy(advance(100, [{0.0, 0.0, 0.0, 0.0, 10.0}, {1.0, 0.0, 0.0, 3.0, 0.1},
                         {-2.0, 0.5, 0.3, -2.0, 0.2}])).

advance(0, Bs) -> Bs;
advance(N, Bs) -> advance(N - 1, [move(B, Bs, 0.001) || B <- Bs]).

move({X, Y, VX, VY, M}, Bs, Dt) ->
    {AX, AY} = lists:foldl(fun({X2, Y2, _, _, M2}, {P, Q}) when X2 =/= X; Y2 =/= Y -> DX = X2 - X,
                               DY = Y2 - Y, D = math:sqrt(DX * DX + DY * DY),
                               {P + M2 * DX / (D * D * D), Q + M2 * DY / (D * D * D)}; (_, A) ->
                               A end, {0.0, 0.0}, Bs),
    {X + VX * Dt, Y + VY * Dt, VX + AX * Dt, VY + AY * Dt, M}.

energy(Bs) -> lists:sum([M * (VX * VX + VY * VY) / 2 || {_, _, VX, VY, M} <- Bs]).

matrix_power() -> mpow([[1, 1], [1, 0]], 200).
mpow(_, 0) -> [[1, 0], [0, 1]];
mpow(M, N) when N rem 2 =:= 0 -> H = mpow(M, N div 2), mul(H, H);
mpow(M, N) -> mul(M, mpow(M, N - 1)).

mul(A, B) ->
    T = transpose(B),
    [[lists:sum(lists:zipwith(fun(X, Y) -> X * Y end, R, C)) || C <- T] || R <- A].

transpose([[] | _]) -> [];
transpose(M) -> [[hd(R) || R <- M] | transpose([tl(R) || R <- M])].
levenshtein() -> [lev(A, B) || {A, B} <- [{"kitten", "sitting"}, {"", "abc"}, {"flaw", "lawn"}]].

lev(A, B) ->
    lists:last(lists:foldl(fun(C, Row = [H | _]) -> lists:reverse(
                                   element(2, lists:foldl(fun({D, {L, U}}, {Prev, Acc}) ->
                                                              V = lists:min(
                                                                  [Prev + 1, U + 1,
                                                                      L + if C =:= D -> 0; true ->
                                                                          1 end]),
                                                              {V, [V | Acc]} end,
                                                          {H + 1, [H + 1]},
                                                          lists:zip(B,
                                                              lists:zip(lists:droplast(Row),
                                                                  tl(Row)))))) end,
                           lists:seq(0, length(B)), A)).

roman() -> [roman(N) || N <- [1, 4, 9, 14, 40, 90, 400, 1994, 3999]].
roman(0) -> "";
roman(N) ->
    {V, S} = hd([{V, S} || {V, S} <- [{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"},
                                      {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"},
                                      {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}], V =< N]),
    S ++ roman(N - V).

hanoi() -> length(hanoi(8, a, b, c)).
hanoi(0, _, _, _) -> [];
hanoi(N, A, B, C) -> hanoi(N - 1, A, C, B) ++ [{A, B}] ++ hanoi(N - 1, C, B, A).
brainfuck() -> bf("++++++++[>++++++++<-]>+.+.+.", [], "").
bf(P, _, _) -> bf_run(list_to_tuple(P), 1, #{}, 0, []).
bf_run(P, I, _, _, Out) when I > tuple_size(P) -> lists:reverse(Out);
bf_run(P, I, M, D, Out) ->
    V = maps:get(D, M, 0),
    case element(I, P) of
        $+ -> bf_run(P, I + 1, M#{D => V + 1}, D, Out);
        $- -> bf_run(P, I + 1, M#{D => V - 1}, D, Out);
        $> -> bf_run(P, I + 1, M, D + 1, Out);
        $< -> bf_run(P, I + 1, M, D - 1, Out);
        $. -> bf_run(P, I + 1, M, D, [V | Out]);
        $[ when V =:= 0 -> bf_run(P, jump(P, I + 1, 1, 1) + 1, M, D, Out);
        $] when V =/= 0 -> bf_run(P, jump(P, I - 1, -1, 1) + 1, M, D, Out);
        _ -> bf_run(P, I + 1, M, D, Out)
    end.

jump(_, I, S, 0) -> I - S;
jump(P, I, S, N) ->
    case {element(I, P), S} of {$[, 1} -> jump(P, I + 1, 1, N + 1); {$], 1} ->
        jump(P, I + 1, 1, N - 1); {$], -1} -> jump(P, I - 1, -1, N + 1); {$[, -1} ->
        jump(P, I - 1, -1, N - 1); _ -> jump(P, I + S, S, N) end.

regex_matcher() ->
    [{P, S, rx(P, S)} || {P, S} <- [{"^ab*c$", "abbbc"}, {"a.c", "xxabcx"}, {"^a", "ba"},
                                    {"x*", ""}, {"a*b$", "aaa"}]].

rx([$^ | P], S) -> rx_here(P, S);
rx(P, S) -> rx_here(P, S) orelse (S =/= [] andalso rx(P, tl(S))).
rx_here([], _) -> true;
rx_here("$", S) -> S =:= [];
rx_here([C, $* | P], S) -> rx_star(C, P, S);
rx_here([C | P], [D | S]) when C =:= D; C =:= $. -> rx_here(P, S);
rx_here(_, _) -> false.

rx_star(C, P, S) ->
    rx_here(P, S) orelse (S =/= [] andalso (hd(S) =:= C orelse C =:= $.) andalso rx_star(C, P,
                              tl(S))).

bank() ->
    B = spawn(fun() -> bank(#{a => 100, b => 0}) end),
    Ps = [spawn_monitor(fun() -> B ! {transfer, a, b, 7, self()}, receive R -> exit(R) end end)
          || _ <- lists:seq(1, 20)],
    Rs = [receive {'DOWN', M, _, _, R} -> R end || {_, M} <- Ps],
    B ! {state, self()},
    receive S -> {lists:sort(Rs), S} end.
bank(S) ->
    receive {transfer, F, T, N, P} -> case S of #{F := X} when X >= N -> P ! ok,
                                          bank(S#{F := X - N, T := maps:get(T, S) + N}); _ ->
                                          P ! insufficient, bank(S) end; {state, P} -> P ! S end.

prime_sieve_processes() -> S = self(), feed(2, 50, spawn(fun() -> stage(S) end)).
stage(S) -> receive {n, P} -> S ! {prime, P}, stage(P, none, S); done -> S ! finished end.
stage(P, Next, S) ->
    receive
        {n, N} when N rem P =:= 0 -> stage(P, Next, S);
        {n, N} when Next =:= none -> Q = spawn(fun() -> stage(S) end), Q ! {n, N}, stage(P, Q, S);
        {n, N} -> Next ! {n, N}, stage(P, Next, S);
        done when Next =:= none -> S ! finished;
        done -> Next ! done
    end.

feed(N, Max, P) when N > Max -> P ! done, receive finished -> lists:sort(tlib:drain([])) end;
feed(N, Max, P) -> P ! {n, N}, feed(N + 1, Max, P).
