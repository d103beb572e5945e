%% The EUnit module of the Concuerror paper (its Figure 2a), plus the fixed version.
%% The whole module has a bug; the second test alone has none.
%%
%% expect: eunit => bug,abnormal-exit
%% expect: pong_test => bug,abnormal-exit
%% expect: pong_fixed_test => proved
-module(ping_pong_tests).
-include_lib("eunit/include/eunit.hrl").

pong_test() ->
    ?assertEqual(ok, ping_pong:pong()).

pong_fixed_test() ->
    ?assertEqual(ok, ping_pong:pong_fixed()).
