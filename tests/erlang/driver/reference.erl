%% Runs functions of arity 0 on the real erl, all in one node, and writes what
%% they gave, one line each:
%%
%%     Module:Function TAB result TAB output in base64
%%
%% A result is the returned term as io_lib:format("~0p") prints it, or
%% `** Class: Reason`. Each function gets a fresh process and a group leader
%% of its own; whatever it leaves running is killed afterwards, so that one
%% function cannot disturb the next.
-module(reference).
-export([list/2, run/3]).

-define(TIMEOUT_MS, 20000).
-define(UNUSUAL, 77). % tests/erlang/compare starts another node

%% Writes every Module:Function of arity 0 in the given .beam files to File.
list(Beams, File) ->
    Lines = [[format_name(M, F), $\n] || Beam <- Beams, {M, F} <- functions(Beam)],
    ok = file:write_file(File, unicode:characters_to_binary(Lines)).

functions(Beam) ->
    {ok, {M, [{exports, Exports}]}} = beam_lib:chunks(Beam, [exports]),
    [{M, F} || {F, 0} <- lists:sort(Exports), is_test_name(atom_to_list(F))].

is_test_name("module_info") -> false;
is_test_name("__" ++ _) -> false;
is_test_name(_) -> true.

format_name(M, F) ->
    io_lib:format("~tw:~tw", [M, F]).

%% Runs the functions named in NamesFile, one per line, in that order.
run(Path, NamesFile, ResultsFile) ->
    code:add_pathsa(Path),
    is_usual(list_to_atom("b"), list_to_atom("a")) orelse halt(?UNUSUAL),
    ok = logger:set_handler_config(default, level, none), % it does not print
    {ok, Names} = file:read_file(NamesFile),
    {ok, Out} = file:open(ResultsFile, [write, raw, binary, delayed_write]),
    lists:foreach(fun(Name) -> run_line(Name, Out) end,
                  binary:split(Names, <<"\n">>, [global, trim_all])),
    ok = file:close(Out).

%% From OTP 26 on the keys of small maps have the order in which their atoms were made. A node that
%% evaluates an expression has made b before a, most of the time: modules are prepared in parallel.
is_usual(B, A) ->
    list_to_integer(erlang:system_info(otp_release)) < 26 orelse
        maps:keys(#{A => 1, B => 2}) =:= [B, A].

run_line(Name, Out) ->
    {M, F} = parse_name(Name),
    {Result, Output} = run_function(M, F),
    ok = file:write(Out, [Name, $\t, unicode:characters_to_binary(Result), $\t,
                          base64:encode(Output), $\n]).

parse_name(Name) ->
    {ok, [{atom, _, M}, {':', _}, {atom, _, F}], _} =
        erl_scan:string(unicode:characters_to_list(Name)),
    {M, F}.

run_function(M, F) ->
    Leader = spawn_link(fun() -> capture([]) end),
    Parent = self(),
    {Pid, Mon} = spawn_monitor(fun() ->
                                       group_leader(Leader, self()),
                                       Parent ! {result, self(), evaluate(M, F)}
                               end),
    Result = wait_for_result(Pid, Mon),
    kill_left_behind(Leader),
    Leader ! {stop, self()},
    receive {captured, Leader, Output} -> {Result, Output} end.

wait_for_result(Pid, Mon) ->
    receive
        {result, Pid, Result} ->
            receive {'DOWN', Mon, _, _, _} -> ok end,
            Result;
        {'DOWN', Mon, _, _, Reason} ->
            io_lib:format("** exit: ~0p", [Reason])
    after ?TIMEOUT_MS ->
            exit(Pid, kill),
            receive {'DOWN', Mon, _, _, _} -> ok end,
            "** timeout"
    end.

evaluate(M, F) ->
    try M:F() of
        Term -> io_lib:format("~0p", [Term])
    catch
        Class:Reason -> io_lib:format("** ~w: ~0p", [Class, Reason])
    end.

kill_left_behind(Leader) ->
    Left = [P || P <- processes(), process_info(P, group_leader) =:= {group_leader, Leader}],
    Mons = [{P, monitor(process, P)} || P <- Left],
    [exit(P, kill) || P <- Left],
    [receive {'DOWN', Mon, _, _, _} -> ok end || {_, Mon} <- Mons],
    ok.

%% The group leader: collects what is written, newest first.
capture(Chunks) ->
    receive
        {io_request, From, ReplyAs, Request} ->
            {Reply, Chunk} = io_request(Request),
            From ! {io_reply, ReplyAs, Reply},
            capture([Chunk | Chunks]);
        {stop, From} ->
            From ! {captured, self(), iolist_to_binary(lists:reverse(Chunks))};
        _ ->
            capture(Chunks)
    end.

io_request({put_chars, Encoding, Chars}) ->
    try unicode:characters_to_binary(Chars, Encoding, unicode) of
        Binary when is_binary(Binary) -> {ok, Binary};
        _ -> {{error, {put_chars, Encoding, Chars}}, <<>>}
    catch
        error:_ -> {{error, {put_chars, Encoding, Chars}}, <<>>}
    end;
io_request({put_chars, Encoding, M, F, A}) ->
    try apply(M, F, A) of
        Chars -> io_request({put_chars, Encoding, Chars})
    catch
        _:_ -> {{error, F}, <<>>}
    end;
io_request({requests, Requests}) ->
    lists:foldl(fun(Request, {ok, Before}) ->
                        {Reply, Chunk} = io_request(Request),
                        {Reply, [Before, Chunk]};
                   (_, Failed) ->
                        Failed
                end, {ok, <<>>}, Requests);
io_request({setopts, _}) -> {ok, <<>>};
io_request(getopts) -> {[{binary, false}, {encoding, unicode}], <<>>};
io_request({get_geometry, _}) -> {{error, enotsup}, <<>>};
io_request({get_line, _, _}) -> {eof, <<>>};
io_request({get_chars, _, _, _}) -> {eof, <<>>};
io_request({get_until, _, _, _, _, _}) -> {eof, <<>>};
io_request(_) -> {{error, request}, <<>>}.
