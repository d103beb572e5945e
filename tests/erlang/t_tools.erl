%% Libraries on top: eunit, proper, logger, sys debugging, ets through qlc.
-module(t_tools).
-export([eunit_ok/0, eunit_quiet/0, eunit_simple_funs/0, eunit_fixture/0, eunit_foreach/0,
         eunit_timeout/0, eunit_inparallel/0, eunit_spawn/0, eunit_generator/0,
         eunit_assertions/0, quickcheck_true/0, quickcheck_false/0, quickcheck_types/0,
         quickcheck_implies/0, proper_shrinks/0, proper_generates/0, statem_holds/0,
         statem_fails/0, handler_sees/0, handler_report/0, handler_error_logger/0,
         handler_server_crash/0, handler_proc_lib_crash/0, handler_supervisor/0,
         handler_duplicate/0, handler_of_node/0, handler_hears_crashes/0, report_handler/0, handler_filter/0, logger_levels/0, logger_off/0, logger_primary/0,
         logger_metadata/0, logger_allow/0, logger_proxy/0, logger_formatter/0, qlc_list/0, qlc_ets/0,
         qlc_join/0, pg_groups/0, global_names/0, global_trans/0, erpc_local/0,
         zlib_round_trip/0, file_read/0, spawn_and_reply/0, pretty_expression/0,
         crypto_hash/0, crypto_mac/0, crypto_strong/0]).
-export([prop_reverse/1, seen/2]).
-include_lib("stdlib/include/qlc.hrl").
-include("t.hrl").

eunit_ok() -> eunit:test(eunit_body, []).
eunit_quiet() -> eunit:test(eunit_body, [no_tty]).

eunit_simple_funs() ->
    {eunit:test(fun() -> ok end, [no_tty]), eunit:test(fun() -> error(x) end, [no_tty]),
     eunit:test([fun() -> ok end, fun() -> exit(no) end], [no_tty])}.

eunit_fixture() ->
    S = self(),
    R = eunit:test({setup, fun() -> S ! set_up, 5 end, fun(X) -> S ! {cleaned, X} end,
                    fun(X) -> [fun() -> 5 = X end, fun() -> S ! ran end] end}, [no_tty]),
    {R, tlib:drain([])}.

eunit_foreach() ->
    S = self(),
    R = eunit:test({foreach, fun() -> S ! up end, fun(_) -> S ! down end,
                    [fun() -> ok end, fun() -> S ! t2 end]}, [no_tty]),
    {R, tlib:drain([])}.

eunit_timeout() -> eunit:test({timeout, 0.01, fun() -> receive after 1000 -> ok end end}, [no_tty]).
eunit_inparallel() -> eunit:test({inparallel, [fun() -> ok end || _ <- lists:seq(1, 5)]}, [no_tty]).
eunit_spawn() -> eunit:test({spawn, fun() -> ok end}, [no_tty]).

eunit_generator() ->
    eunit:test({generator, fun() -> [fun() -> ok end, {"titled", fun() -> ok end}] end},
               [no_tty]).

eunit_assertions() -> [?TRY(eunit_body:assertion(N)) || N <- lists:seq(1, 8)].

prop_reverse(Type) -> proper:forall(Type, fun(L) -> lists:reverse(lists:reverse(L)) =:= L end).

quickcheck_true() ->
    proper:quickcheck(prop_reverse(proper_types:list(proper_types:integer())),
                      [quiet, {numtests, 50}]).

quickcheck_false() ->
    proper:quickcheck(proper:forall(proper_types:integer(), fun(N) -> N < 5 end),
                      [quiet, {numtests, 200}]).

quickcheck_types() ->
    [proper:quickcheck(proper:forall(T, fun(_) -> true end), [quiet, {numtests, 20}])
     || T <- [proper_types:binary(), proper_types:float(), proper_types:atom(),
              proper_types:tuple([proper_types:boolean(), proper_types:char()]),
              proper_types:union([a, b]), proper_types:vector(3, proper_types:nat()),
              proper_types:range(1, 5), proper_types:any()]].

quickcheck_implies() ->
    proper:quickcheck(proper:forall(proper_types:integer(),
                                    fun(N) -> proper:implies(N > 0,
                                            {'$delayed', fun() -> N * 2 > N end}) =/= x end),
                      [quiet, {numtests, 20}]).

proper_shrinks() ->
    false = proper:quickcheck(proper:forall(proper_types:list(proper_types:integer()),
                                            fun(L) -> length(L) < 3 end),
                              [quiet, {numtests, 500}]),
    [C] = proper:counterexample(),
    {length(C), lists:usort(C)}.

proper_generates() -> {ok, X} = proper_gen:pick(proper_types:range(1, 1)), X.

statem_holds() -> proper_body:check(infinity, 20).
statem_fails() -> proper_body:check(7, 300).

%% Runs a function with a handler of our own, and gives what was logged.
logged(Fun) ->
    Level = maps:get(level, logger:get_primary_config()),
    logger:set_primary_config(level, info),
    ok = logger:add_handler(t_tools_handler, otp_callbacks, #{config => #{pid => self()}}),
    Fun(),
    receive after 20 -> ok end,
    logger:remove_handler(t_tools_handler),
    logger:set_primary_config(level, Level),
    [{L, event(M)} || {logged, L, M} <- tlib:drain([])].

event({report, #{label := Label}}) -> {report, Label};
event({report, _}) -> report;
event({string, S}) -> {string, unicode:characters_to_list(S)};
event({F, A}) -> lists:flatten(io_lib:format(F, A)).

handler_sees() ->
    logged(fun() -> logger:info("one ~p", [1]), logger:debug("no"), logger:error("two") end).

handler_report() -> logged(fun() -> logger:warning(#{label => here, a => 1}) end).
handler_error_logger() -> logged(fun() -> error_logger:error_msg("old ~p", [way]) end).

handler_server_crash() ->
    logged(fun() ->
                   {ok, P} = gen_server:start(otp_callbacks, {server, fun() -> {ok, s} end}, []),
                   gen_server:cast(P, {do, fun(_) -> exit(broken) end}),
                   tlib:await_down(P)
           end).

handler_proc_lib_crash() ->
    logged(fun() -> tlib:await_down(proc_lib:spawn(fun() -> error(oops) end)) end).

handler_supervisor() ->
    logged(fun() ->
                   Child = #{id => c, restart => temporary,
                             start => {otp_callbacks, start_worker, [t_tools_worker, s]}},
                   {ok, S} = supervisor:start_link(otp_callbacks,
                                                   {supervisor, {ok, {#{}, [Child]}}}),
                   unlink(S),
                   gen_server:cast(t_tools_worker, {do, fun(_) -> exit(broken) end}),
                   tlib:until(fun() -> supervisor:which_children(S) =:= [] end),
                   exit(S, shutdown),
                   tlib:await_down(S)
           end).

%% Every node has the handler `default`, and logs from notice on.
handler_of_node() ->
    {lists:member(default, logger:get_handler_ids()), element(1, logger:get_handler_config(default)),
     maps:get(level, logger:get_primary_config())}.

%% The machine itself reports errors and throws that nobody catches, but not exits.
handler_hears_crashes() ->
    ok = logger:add_handler(t_tools_h4, otp_callbacks, #{config => #{pid => self()}}),
    logger:info("not this"),
    logger:notice("this"),
    Pids = [spawn(fun() -> error(oops) end), spawn(fun() -> throw(up) end),
            spawn(fun() -> exit(away) end)],
    [tlib:await_down(Pid) || Pid <- Pids],
    receive after 200 -> ok end,
    logger:remove_handler(t_tools_h4),
    lists:sort([{L, crash(M)} || {logged, L, M} <- tlib:drain([])]).

crash({"Error in process" ++ _, [_, {Reason, [{M, _, _, _} | _]}]}) -> {Reason, M};
crash(Other) -> event(Other).

report_handler() ->
    ok = error_logger:add_report_handler(otp_reports, self()),
    error_logger:error_msg("old ~p", [way]),
    Got = receive {reported, Event} -> element(3, element(3, Event)) end,
    _ = error_logger:delete_report_handler(otp_reports),
    Got.

handler_duplicate() ->
    ok = logger:add_handler(t_tools_h2, otp_callbacks, #{config => #{pid => self()}}),
    R = element(1, logger:add_handler(t_tools_h2, otp_callbacks, #{})),
    {R, logger:remove_handler(t_tools_h2), element(1, logger:remove_handler(t_tools_h2))}.

handler_filter() ->
    ok = logger:add_handler(t_tools_h3, otp_callbacks,
                            #{level => error, config => #{pid => self()}}),
    {ok, #{level := L}} = logger:get_handler_config(t_tools_h3),
    logger:remove_handler(t_tools_h3),
    L.

logger_levels() -> [logger:compare_levels(A, B) || A <- [error, info], B <- [warning, debug]].

logger_off() ->
    {logger:error("nothing ~p", [x]), logger:info(#{a => 1}), error_logger:error_msg("~p", [x])}.

logger_primary() -> maps:get(level, logger:get_primary_config()).

logger_metadata() ->
    {logger:set_process_metadata(#{a => 1}), logger:get_process_metadata(),
     logger:update_process_metadata(#{b => 2}), logger:get_process_metadata(),
     logger:unset_process_metadata(), logger:get_process_metadata()}.

logger_proxy() ->
    Proxy = whereis(logger_proxy),
    {is_pid(Proxy), logger_olp:get_opts(logger_proxy) =:= logger:get_proxy_config(),
     Proxy =:= erlang:system_info(system_logger)}.
logger_allow() -> [logger:allow(L, ?MODULE) || L <- [emergency, error, debug]].

logger_formatter() ->
    lists:flatten(logger_formatter:format(#{level => info, msg => {"hi ~p", [x]},
                                           meta => #{time => 0, pid => self()}},
                                          #{template => [level, ": ", msg],
                                           single_line => true})).

qlc_list() -> qlc:e(qlc:q([{X, Y} || X <- [1, 2, 3], Y <- [a, b], X > 1])).

qlc_ets() ->
    T = ets:new(t, []),
    ets:insert(T, [{1, a}, {2, b}, {3, a}]),
    R = lists:sort(qlc:e(qlc:q([K || {K, V} <- ets:table(T), V =:= a]))),
    ets:delete(T),
    R.

qlc_join() ->
    lists:sort(qlc:e(qlc:q([{X, Y} || {X, K} <- [{1, a}, {2, b}], {L, Y} <- [{a, x}, {b, y}],
                            K =:= L]))).

seen(P, X) -> P ! {seen, X}.

pg_groups() ->
    {ok, P} = pg:start(t_tools_scope),
    ok = pg:join(t_tools_scope, g, self()),
    R = {pg:get_members(t_tools_scope, g) =:= [self()], pg:which_groups(t_tools_scope),
         pg:leave(t_tools_scope, g, self()), pg:get_members(t_tools_scope, g)},
    unlink(P),
    exit(P, kill),
    R.

global_names() ->
    {global:register_name(t_global, self()), global:whereis_name(t_global) =:= self(),
     global:send(t_global, hi) =:= self(), tlib:drain([]), global:unregister_name(t_global),
     global:whereis_name(t_global)}.

global_trans() -> global:trans({t_lock, self()}, fun() -> inside end).

erpc_local() ->
    {erpc:call(node(), lists, sum, [[1, 2]]),
     ?TRY(erpc:call(node(), erlang, error, [oops])) =/= x,
     rpc:call(node(), lists, max, [[1, 5]])}.

zlib_round_trip() ->
    B = binary:copy(<<"abc">>, 100),
    {zlib:unzip(zlib:zip(B)) =:= B, zlib:uncompress(zlib:compress(B)) =:= B,
     zlib:gunzip(zlib:gzip(B)) =:= B, zlib:uncompress(zlib:compress(<<>>))}.

file_read() ->
    {element(1, file:read_file(code:which(t_tools))), file:read_file("/no/such/file"),
     filelib:is_file("/no/such/file"), filelib:is_dir("/")}.

spawn_and_reply() ->
    lists:sum([begin S = self(), P = spawn(fun() -> S ! {self(), I} end),
                   receive {P, V} -> V end end || I <- lists:seq(1, 50)]).

pretty_expression() -> io_lib:format("~s", [erl_pp:exprs([erl_parse:abstract({a, "b"})])]) =/= [].
crypto_hash() -> [binary:encode_hex(crypto:hash(T, <<"abc">>)) || T <- [md5, sha, sha256, sha512]].
crypto_mac() -> binary:encode_hex(crypto:mac(hmac, sha256, <<"key">>, <<"data">>)).
crypto_strong() -> byte_size(crypto:strong_rand_bytes(16)).
