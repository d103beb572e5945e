%% Short forms of cases of OTP's own suites that our VM once got wrong.
-module(t_suites).
-export([applied_errors/0, shared_binaries/0, copied_bytes/0, old_hello/0, heap_of_messages/0,
         sleeping_heap/0, concurrency/0, capture_names/0, deep_parentheses/0, latin_words/0,
         pid_hash/0, pid_parts/0, two_on_loads/0, heap_limit_flag/0, too_large/0, progname/0,
         killed_before_check/0, marked_messages/0, bad_captures/0, loaded_at_once/0,
         not_prepared/0, fine_time/0, heap_details/0, process_limit/0,
         replaced_by_element/0, plain_digits/0, many_markers/0, old_heap/0]).
-include("t.hrl").

applied_errors() ->
    [frames(fun() -> thrice(N) end) || N <- [0, 1, 2, 3]].

thrice(N) -> apply(tlib:id(erlang), tlib:id(apply), nested(N)).

nested(0) -> [erlang, error, [oops]];
nested(N) -> [erlang, apply, nested(N - 1)].

frames(Fun) ->
    try Fun() catch error:Reason:Stack -> {Reason, [{F, A} || {?MODULE, F, A, _} <- Stack]} end.

shared_binaries() ->
    Bytes = list_to_binary(lists:seq(1, 192)),
    Self = self(),
    spawn_link(fun() ->
                       {binary, List} = process_info(self(), binary),
                       Self ! {[Size || {_, Size, _} <- List], byte_size(Bytes)}
               end),
    receive Answer -> Answer end.

copied_bytes() ->
    Bytes = <<0:(2000 * 1024)/unit:8>>,
    {reductions, Before} = process_info(self(), reductions),
    _ = <<0:8, (tlib:id(Bytes))/binary>>,
    {reductions, After} = process_info(self(), reductions),
    After - Before >= 2000.

old_hello() ->
    Packet = <<1:1, 8:15, 1, 3, 0, 101, 22, 203, 54, 175, "rest">>,
    [erlang:decode_packet(ssl_tls, Packet, [{packet_size, N}]) || N <- [0, 4, 5, 8]].

heap_of_messages() ->
    [begin
         Pid = spawn_opt(fun() -> receive stop -> ok end end, [link, {message_queue_data, Where}]),
         {_, Before} = process_info(Pid, total_heap_size),
         _ = [Pid ! lists:duplicate(N, N) || N <- lists:seq(1, 100)],
         {_, Len} = process_info(Pid, message_queue_len),
         {_, After} = process_info(Pid, total_heap_size),
         Pid ! stop,
         {Where, Len, Before < After}
     end || Where <- [on_heap, off_heap]].

sleeping_heap() ->
    Pid = spawn_opt(fun() -> erlang:hibernate(erlang, apply, [fun(X) -> X end, [1]]) end,
                    [link, {min_heap_size, 15000}]),
    receive after 10 -> ok end,
    {heap_size, Words} = process_info(Pid, heap_size),
    unlink(Pid),
    exit(Pid, kill),
    Words =< 20.

%% With one scheduler these options have no effect.
concurrency() ->
    [shown(Type, Protection, Write, Counters) =:= expected(Type, Protection, Write, Counters)
     || Type <- [set, ordered_set, bag], Protection <- [public, private],
        Write <- [none, true, auto, false], Counters <- [none, true, false]].

shown(Type, Protection, Write, Counters) ->
    Table = ets:new(t, [Type, Protection] ++ [{write_concurrency, Write} || Write =/= none] ++
                        [{decentralized_counters, Counters} || Counters =/= none]),
    Shown = {ets:info(Table, write_concurrency), ets:info(Table, decentralized_counters)},
    ets:delete(Table),
    Shown.

expected(Type, Protection, Write, Counters) ->
    case erlang:system_info(schedulers) > 1 andalso Protection =:= public andalso
        (Write =:= true orelse Write =:= auto) of
        false -> {false, false};
        true when Counters =:= none -> {Write, Type =:= ordered_set orelse Write =:= auto};
        true -> {Write, Counters}
    end.

capture_names() ->
    [?TRY(re:run("apa", "a", [{capture, Names, list}]))
     || Names <- [[[<<"ap">> | $a]], ["ap" | $a], ["a"], [<<"a">>, 0], [[$a | <<"b">>]]]].

%% OTP 28 has another library for it.
deep_parentheses() ->
    list_to_integer(erlang:system_info(otp_release)) >= 28 orelse
        [case re:compile([lists:duplicate(N, $(), lists:duplicate(N, $))]) of
             {ok, _} -> {N, ok};
             Error -> {N, Error}
         end || N <- [250, 251, 500, 798, 799, 819]].

latin_words() ->
    list_to_integer(erlang:system_info(otp_release)) >= 28 orelse
        [re:run([229, 1024], Text, Options)
         || Text <- ["\\w", "a|\\w", "[\\w]", "\\W", "\\s", "(?:\\w)\\w"],
            Options <- [[unicode], [unicode, ucp]]].

pid_hash() ->
    [erlang:phash2(a), apply(erlang, phash, [c:pid(0, 2, 3), 16#FFFFFFFF]),
     apply(erlang, phash, [[a, c:pid(0, 2, 0)], 16#FFFFFFFF])].

pid_parts() ->
    [element(2, split_binary(term_to_binary(c:pid(0, N, S)), 16))
     || {N, S} <- [{2, 3}, {17, 0}, {32767, 1}]].

two_on_loads() ->
    Modules = [prepare(Name) || Name <- [t_suites_a, t_suites_b]],
    {?TRY(erlang:finish_loading(Modules)),
     [erlang:has_prepared_code_on_load(Code) || Code <- Modules],
     ?TRY(erlang:has_prepared_code_on_load(<<1, 2, 3>>))}.

prepare(Name) ->
    Forms = [{attribute, 1, module, Name}, {attribute, 1, on_load, {start, 0}},
             {function, 1, start, 0, [{clause, 1, [], [], [{atom, 1, ok}]}]}],
    {ok, Name, Code} = compile:forms(Forms, []),
    erlang:prepare_loading(Name, Code).

heap_limit_flag() ->
    Old = erlang:system_flag(max_heap_size, #{size => 0, kill => false, error_logger => false}),
    Pid = spawn_opt(fun() -> receive stop -> ok end end, [{max_heap_size, #{size => 2000}}]),
    Limit = process_info(Pid, max_heap_size),
    exit(Pid, kill),
    Shown = erlang:system_info(max_heap_size),
    Set = erlang:system_flag(max_heap_size, Old),
    {Old, Limit, Shown, Set, erlang:system_info(max_heap_size)}.

too_large() ->
    Pid = spawn_opt(fun() -> receive stop -> ok end end,
                    [{max_heap_size, #{size => 1024, kill => true, error_logger => false}}]),
    Ref = monitor(process, Pid),
    _ = [Pid ! lists:duplicate(N, N) || N <- lists:seq(1, 100)],
    process_info(Pid, messages),
    erlang:garbage_collect(Pid),
    receive {'DOWN', Ref, process, Pid, Reason} -> Reason after 5000 -> alive end.

progname() -> init:get_argument(progname).

killed_before_check() ->
    Pid = spawn(fun() -> receive stop -> ok end end),
    Ref = make_ref(),
    exit(Pid, kill),
    async = erlang:check_process_code(Pid, ?MODULE, [{async, Ref}]),
    receive {check_process_code, Ref, Result} -> Result end.

%% Receives that start behind a huge queue leave messages on the heap, which collections must keep.
marked_messages() ->
    Server = spawn_link(fun echo/0),
    _ = [self() ! {msg, N} || N <- lists:seq(1, 3000)],
    Results = [ask(Server, N, 3) || N <- lists:seq(1, 200)],
    unlink(Server),
    exit(Server, kill),
    {lists:usort(Results), flush(0)}.

echo() ->
    receive {From, Ref, Value, Times} -> [From ! {Ref, [Value, N]} || N <- lists:seq(1, Times)] end,
    echo().

%% The answers to the outer question wait while the inner ones are taken.
ask(_, _, 0) -> ok;
ask(Server, Value, Depth) ->
    Ref = monitor(process, Server),
    Server ! {self(), Ref, Value, 5},
    ask(Server, Value, Depth - 1),
    erlang:garbage_collect(),
    _ = [lists:seq(1, 50 * N) || N <- lists:seq(1, 20)],
    Got = [receive {Ref, [Value, N]} -> N end || N <- lists:seq(1, 5)],
    demonitor(Ref, [flush]),
    length(Got) =:= 5 andalso ok.

flush(N) -> receive {msg, _} -> flush(N + 1) after 0 -> N end.

%% A wrong option has a cause, a wrong capture has none.
bad_captures() ->
    {ok, Compiled} = re:compile("(p)"),
    Options = [[{capture, [[<<"ap">> | 97]], binary}], [{capture, [a | b]}], [{capture, foo}],
               [{capture, [x], foo}], [{capture, ["p"], index}], [foo], [{offset, -1}],
               [caseless]],
    [try re:run(<<"apa">>, Expression, Option)
     catch error:Reason:Stack -> {Reason, element(4, hd(Stack))} end
     || Expression <- ["(p)", Compiled], Option <- Options].

loaded_at_once() ->
    Names = [t_suites_c, t_suites_d],
    Load = fun(Value) -> code:atomic_load([made(Name, Value) || Name <- Names]) end,
    First = {Load(one), [Name:value() || Name <- Names], [code:which(Name) || Name <- Names]},
    Second = {Load(two), [Name:value() || Name <- Names]},
    {error, Third} = Load(three),
    {error, Twice} = code:atomic_load([made(t_suites_c, one), made(t_suites_c, two)]),
    _ = [code:purge(Name) orelse code:delete(Name) orelse code:purge(Name) || Name <- Names],
    {First, Second, lists:sort(Third), Twice, code:atomic_load([t_suites_missing])}.

made(Name, Value) ->
    Forms = [{attribute, 1, module, Name}, {attribute, 1, export, [{value, 0}]},
             {function, 1, value, 0, [{clause, 1, [], [], [{atom, 1, Value}]}]}],
    {ok, Name, Code} = compile:forms(Forms, []),
    {Name, "/made/" ++ atom_to_list(Name) ++ ".beam", Code}.

not_prepared() ->
    {t_suites_c, _, Code} = made(t_suites_c, one),
    Prepared = erlang:prepare_loading(t_suites_c, Code),
    {is_reference(Prepared), erlang:finish_loading([Prepared, Prepared]),
     [?TRY(erlang:finish_loading(Wrong))
      || Wrong <- [x, [Prepared | y], [x], [<<>>], [make_ref()]]]}.

fine_time() ->
    [erlang:convert_time_unit(erlang:time_offset(), native, Unit) - erlang:time_offset(Unit)
     || Unit <- [1, 1000000000000, 2333333333333, 5732678356789]].

heap_details() ->
    Shape = fun() -> {_, List} = process_info(self(), garbage_collection_info), List end,
    Size = fun() -> {_, Words} = process_info(self(), stack_size), Words end,
    {[Name || {Name, _} <- Shape()], deep(100, Size) - Size() > 100}.

deep(0, Size) -> Size();
deep(N, Size) -> max(deep(N - 1, Size), 0).

process_limit() -> erlang:system_info(process_limit).

replaced_by_element() ->
    Table = ets:new(replaced, []),
    true = ets:insert(Table, [{{N, x}, N} || N <- lists:seq(1, 10)]),
    Replace = fun(Key) ->
                      ?TRY(ets:select_replace(Table, [{{{'$1', '$3'}, '$2'}, [{'>', '$1', 5}],
                                                       [{{Key, {'+', '$2', 100}}}]}]))
              end,
    Results = [Replace(Key) || Key <- [{element, 1, '$_'}, {element, 2, '$_'}, {element, 1, '$2'},
                                       {{'$1', '$3'}}]],
    {Results, lists:sort(ets:tab2list(Table))}.

%% \8 is a digit unless there are eight groups before it.
plain_digits() ->
    [{Expression, ?TRY(re:run(Text, Expression, [{capture, first} | Options]))}
     || {Text, Expression, Options} <-
            [{"A8B9C", "^A\\8B\\9C$", []}, {"81", "\\81", []}, {"8", "[\\8]", []},
             {"a8", "(a)\\8", []}, {"aaaaaaab8", "(a)(a)(a)(a)(a)(a)(a)(b)\\8", []},
             {"aaaaaaabb", "(a)(a)(a)(a)(a)(a)(a)(b)\\8", []}, {"8", "\\8(a)*", []},
             {"aaaaaaa8", "(a)(a)(a)(a)(a)(?:a)(?=a)(?<n>a)\\8", []}, {"7", "\\7", []},
             {"x9", "x\\9", [unicode]}, {"?", "^\\c\d", []}, {"A", "^\\c\001", []}, {"aRb", "^a[\\R]b", []}, {"XB", "^[\\X\\B]+", []}]].

%% More inner questions than there are markers, in front of which a huge queue waits: without markers
%% each answer would be sought from the first message on, 4 * 10^9 in all.
many_markers() ->
    Server = spawn_link(fun echo/0),
    _ = [self() ! {msg, N} || N <- lists:seq(1, 100000)],
    Results = [begin
                   Ref = monitor(process, Server),
                   Server ! {self(), Ref, Round, 20},
                   inner(Server, 10),
                   Got = answers(Ref, Round, 20, []),
                   demonitor(Ref, [flush]),
                   Got
               end || Round <- lists:seq(1, 2000)],
    unlink(Server),
    exit(Server, kill),
    {lists:usort(Results), flush(0)}.

inner(_, 0) -> ok;
inner(Server, N) ->
    Ref = monitor(process, Server),
    Server ! {self(), Ref, N, 1},
    [1] = answers(Ref, N, 1, []),
    demonitor(Ref, [flush]),
    inner(Server, N - 1).

answers(_, _, 0, Got) -> Got;
answers(Ref, Value, N, Got) ->
    receive
        {Ref, [Value, M]} -> answers(Ref, Value, N - 1, [M | Got]);
        {'DOWN', Ref, process, _, Reason} -> exit(Reason)
    end.

%% A process that makes garbage gets an old heap, which it has not after a full collection or while it
%% hibernates.
old_heap() ->
    Pid = spawn_link(fun() -> acquire([lists:seq(1, 50)]), erlang:hibernate(erlang, apply, [fun() -> ok end, []]) end),
    receive after 100 -> ok end,
    [{heap_size, Size}, {total_heap_size, Total}] = process_info(Pid, [heap_size, total_heap_size]),
    unlink(Pid),
    exit(Pid, kill),
    acquire([lists:seq(1, 50)]),
    garbage_collect(),
    {total_heap_size, Full} = process_info(self(), total_heap_size),
    {heap_size, Young} = process_info(self(), heap_size),
    {Size =:= Total, Full =:= Young}.

acquire(Kept) ->
    case process_info(self(), [heap_size, total_heap_size]) of
        [{heap_size, Size}, {total_heap_size, Total}] when Size < Total -> length(Kept);
        _ -> acquire([[hd(Kept)] | tl(Kept)])
    end.
