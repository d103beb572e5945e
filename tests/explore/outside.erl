%% Programs outside: os:cmd and open_port work with --allow-io and are refused without it. The
%% verdict names them, because they are not explored.
%%
%% expect: command --strategy dpor --allow-io => proved, assuming programs outside
%% expect: command --strategy dpor => lost-control
%% expect: two_commands --strategy dpor --allow-io => proved, executions=1
%% expect: echo --strategy dpor --allow-io => proved, assuming programs outside
%% expect: echo --strategy dpor => lost-control
%% expect: status --strategy dpor --allow-io => proved
%% expect: lines --strategy dpor --allow-io => proved
%% expect: packets --strategy dpor --allow-io => proved
%% expect: ties --strategy dpor --allow-io => proved
%% expect: refused_names --strategy dpor --allow-io => proved
%% expect: file_port --strategy dpor --allow-io => lost-control
%% expect: owner_ends --strategy dpor --allow-io => proved
%% expect: left_alone --strategy dpor --allow-io => proved
%% expect: endless --strategy dpor --allow-io => lost-control
%% expect: racy --strategy dpor --allow-io => bug
-module(outside).
-export([command/0, two_commands/0, echo/0, status/0, lines/0, packets/0, ties/0, refused_names/0, file_port/0,
         owner_ends/0, left_alone/0, endless/0, racy/0]).

command() ->
    "hi\n" = os:cmd("echo hi"),
    true = os:putenv("FERMATA_OUTSIDE", "seen"),
    "seen\n" = os:cmd("echo $FERMATA_OUTSIDE"),
    "out\nerr\n" = os:cmd("echo out; echo err >&2"),
    ok.

two_commands() ->
    Self = self(),
    [spawn_link(fun() -> Self ! {N, os:cmd("echo " ++ N)} end) || N <- ["1", "2"]],
    ["1\n", "2\n"] = [receive {N, Text} -> Text end || N <- ["1", "2"]].

echo() ->
    Port = open_port({spawn, "cat"}, [binary]),
    true = is_port(Port),
    {connected, Self} = erlang:port_info(Port, connected),
    Self = self(),
    true = lists:member(Port, erlang:ports()),
    true = port_command(Port, ["he", <<"llo">>]),
    receive {Port, {data, <<"hello">>}} -> ok end,
    Port ! {self(), {command, "again"}},
    receive {Port, {data, <<"again">>}} -> ok end,
    Port ! {self(), close},
    receive {Port, closed} -> ok end,
    undefined = erlang:port_info(Port),
    {'EXIT', {badarg, _}} = (catch port_command(Port, "late")).

status() ->
    Port = open_port({spawn_executable, "/bin/sh"},
                     [{args, ["-c", "read x; echo got $x; exit 3"]}, exit_status, {cd, "/"}]),
    true = port_command(Port, "abc\n"),
    receive {Port, {data, "got abc\n"}} -> ok end,
    receive {Port, {exit_status, 3}} -> ok end.

lines() ->
    Port = open_port({spawn, "printf 'one\\ntwo\\nlonger\\nrest'"}, [{line, 5}, eof, binary]),
    [{eol, <<"one">>}, {eol, <<"two">>}, {noeol, <<"longe">>}, {eol, <<"r">>},
     {noeol, <<"rest">>}] = [receive {Port, {data, Line}} -> Line end || _ <- lists:seq(1, 5)],
    receive {Port, eof} -> ok end,
    true = port_close(Port).

packets() ->
    Port = open_port({spawn, "cat"}, [{packet, 2}, binary]),
    true = port_command(Port, "one"),
    true = port_command(Port, "two"),
    [<<"one">>, <<"two">>] = [receive {Port, {data, Packet}} -> Packet end || _ <- [1, 2]],
    true = port_close(Port).

ties() ->
    process_flag(trap_exit, true),
    Port = open_port({spawn, "true"}, []),
    receive {'EXIT', Port, normal} -> ok end,
    Other = open_port({spawn, "cat"}, []),
    Ref = monitor(port, Other),
    true = port_close(Other),
    receive {'DOWN', Ref, port, Other, normal} -> ok end.

refused_names() ->
    {'EXIT', {enoent, _}} = (catch open_port({spawn_executable, "/no/such/file"}, [])),
    {'EXIT', {eacces, _}} = (catch open_port({spawn_executable, "/etc/passwd"}, [])),
    {'EXIT', {badarg, _}} = (catch open_port({spawn, "cat"}, [wrong])),
    {'EXIT', {badarg, _}} = (catch open_port(1, [])).

%% Of OTP 24 and 25; later ones do not have such ports.
file_port() ->
    case list_to_integer(erlang:system_info(otp_release)) < 26 of
        true -> true = is_port(open_port("file", [in]));
        false -> erlang:trace(self(), true, [running])
    end.

%% A port closes with its owner.
owner_ends() ->
    Self = self(),
    {Pid, Ref} = spawn_monitor(fun() -> Self ! {port, open_port({spawn, "cat"}, [])} end),
    Port = receive {port, P} -> P end,
    receive {'DOWN', Ref, process, Pid, normal} -> ok end,
    undefined = erlang:port_info(Port).

%% Programs that are left do not outlive the run.
left_alone() ->
    true = is_port(open_port({spawn, "cat"}, [])),
    [] = os:cmd("sleep 1000 >/dev/null 2>&1 &").

%% The program's own race is found beside them.
racy() ->
    Self = self(),
    [spawn_link(fun() -> Self ! os:cmd("echo " ++ N) end) || N <- ["1", "2"]],
    ["1\n", "2\n"] = [receive Text -> Text end || _ <- [1, 2]].

endless() ->
    Text = os:cmd("cat /dev/zero", #{max_size => 20}),
    20 = length(Text).
