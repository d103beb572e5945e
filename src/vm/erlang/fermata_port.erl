%% Ports to programs outside: open_port with spawn and spawn_executable, and on top of it os:cmd; and
%% ports to files, which read and write them by themselves.
%%
%% A port is a process that programs know by a port term (fermata:own_port/0). It belongs to the
%% system, so its work is part of the step of the process that sent to it. It feeds the program
%% outside and reads until that program waits for input again (src/vm/bifs/child.h).
-module(fermata_port).
-export([open/2, close/1, command/2, command/3, connect/2, info/1, info/2, set_data/2,
         get_data/1, serve/4]).

-record(port, {name, owner, child, framing = stream, is_binary = false, tells_eof = false,
               tells_status = false, reads = true, buffer = <<>>, data = undefined}).

-define(AT_ONCE, (1 bsl 24)).

%% ---- the functions of erlang ----

open({spawn, "ram_file_drv"}, Settings) ->
    fermata_ram:open(Settings);
open(Name, Settings) when is_list(Name), Name =/= []; is_atom(Name) ->
    reads_files() orelse error(badarg, [Name, Settings]),
    Port = settings_of(Name, Settings),
    fermata:is_explored() andalso fermata:refuse("erlang:open_port/2 with a file name in a search"),
    Port#port.tells_status andalso fermata:refuse("erlang:open_port/2 of a file with exit_status"),
    Modes = case flags(Settings) band 3 of 1 -> [write]; 2 -> [read]; 3 -> [read, write] end,
    try file:open(bytes(Name), [raw, binary | Modes]) of
        {ok, File} -> % only its opener may use it, which is to be the port
            ok = file:close(File),
            Child = {open, filename:absname(bytes(Name)), Modes},
            fermata:start_port(?MODULE, serve, [Port#port{child = Child, name = name(Name)},
                                                self(), [], start]);
        {error, badarg} -> error(badarg, [Name, Settings]);
        {error, _} -> error(einval, [Name, Settings])
    catch
        _:_ -> error(badarg, [Name, Settings])
    end;
open(Name, Settings) ->
    Port = settings_of(Name, Settings),
    {Command, Words} = command_of(Name, Settings),
    Env = environment(proplists:get_value(env, Settings, [])),
    Folder = case proplists:get_value(cd, Settings) of
                 undefined -> [];
                 Path -> [text(Path)]
             end,
    case fermata:child_start([text(Word) || Word <- Words], Env, Folder, flags(Settings)) of
        {error, e2big} ->
            fermata:refuse("erlang:open_port/2 with an environment that is too large");
        {error, Reason} ->
            error(Reason, [Name, Settings]);
        Child ->
            fermata:start_port(?MODULE, serve, [Port#port{child = Child, name = Command},
                                                self(), [], start])
    end.

%% OTP 26 does not have the driver for files any more.
reads_files() -> list_to_integer(erlang:system_info(otp_release)) < 26.

settings_of(Name, Settings) ->
    Reads = is_list(Settings) andalso flags(Settings) band 2 =:= 2,
    try read_settings(Settings, #port{owner = self(), reads = Reads})
    catch _:_ -> error(badarg, [Name, Settings])
    end.

bytes(Name) -> list_to_binary(name(Name)).

name(Name) when is_atom(Name) -> atom_to_list(Name);
name(Name) -> Name.

close(Port) -> call(Port, close).

command(Port, Data) -> command(Port, Data, []).

command(Port, Data, _Options) ->
    try iolist_to_binary(Data) of
        Bytes -> call(Port, {command, Bytes})
    catch
        error:badarg -> error(badarg, [Port, Data])
    end.

connect(Port, Pid) when is_pid(Pid) -> call(Port, {connect, Pid});
connect(Port, Pid) -> error(badarg, [Port, Pid]).

set_data(Port, Data) -> call(Port, {set_data, Data}).
get_data(Port) -> call(Port, get_data).

info(Port) ->
    case ask(Port, info) of
        closed -> undefined;
        Info -> Info
    end.

info(Port, registered_name) ->
    case ask(Port, info) of
        closed -> undefined;
        _ -> []
    end;
info(Port, os_pid) ->
    fermata:port_kind(Port) =:= node orelse
        fermata:refuse("erlang:port_info(Port, os_pid)"),
    {os_pid, undefined};
info(Port, Item) ->
    case ask(Port, info) of
        closed -> undefined;
        Info ->
            case lists:keyfind(Item, 1, Info) of
                false -> error(badarg, [Port, Item]);
                Pair -> Pair
            end
    end.

call(Port, Request) ->
    case ask(Port, Request) of
        closed -> error(badarg, [Port]);
        Reply -> Reply
    end.

ask(Port, Request) ->
    case fermata:port_kind(Port) of
        child ->
            Pid = fermata:port_process(Port),
            Ref = monitor(process, Pid),
            Pid ! {?MODULE, self(), Ref, Request},
            receive
                {Ref, Reply} -> demonitor(Ref, [flush]), Reply;
                {'DOWN', Ref, _, _, _} -> closed
            end;
        node when Request =:= info ->
            [{name, "forker"}, {links, []}, {id, 0}, {connected, list_to_pid("<0.0.0>")}, {input, 0},
             {output, 0}];
        node -> fermata:refuse("erlang:port_command/2 and its kin on the node's own port");
        socket when Request =:= info -> fermata_inet:call(Port, info);
        socket when Request =:= close -> fermata_tcp:close(Port), true;
        socket -> fermata:refuse("erlang:port_command/2 and its kin on a socket");
        undefined when is_port(Port) -> closed;
        undefined -> error(badarg, [Port])
    end.

%% ---- settings ----

read_settings([], Port) -> Port;
read_settings([Setting | Rest], Port) -> read_settings(Rest, read_setting(Setting, Port)).

read_setting(binary, P) -> P#port{is_binary = true};
read_setting(eof, P) -> P#port{tells_eof = true};
read_setting(exit_status, P) -> P#port{tells_status = true};
read_setting(stream, P) -> P#port{framing = stream};
read_setting({packet, N}, P) when N =:= 1; N =:= 2; N =:= 4 -> P#port{framing = {packet, N}};
read_setting({line, N}, P) when is_integer(N), N > 0 -> P#port{framing = {line, N}};
read_setting(nouse_stdio, _) -> fermata:refuse("erlang:open_port/2 with nouse_stdio");
read_setting(Word, P) when Word =:= use_stdio; Word =:= stderr_to_stdout; Word =:= hide;
                           Word =:= overlapped_io; Word =:= in; Word =:= out -> P;
read_setting({env, Env}, P) -> true = is_environment(Env), P;
read_setting({args, Words}, P) -> true = lists:all(fun is_text/1, Words), P;
read_setting({Key, Text}, P) when Key =:= cd; Key =:= arg0 -> true = is_text(Text), P;
read_setting({Key, _}, P) when Key =:= parallelism; Key =:= busy_limits_port;
                               Key =:= busy_limits_msgq -> P.

is_environment(Env) ->
    lists:all(fun({Name, Value}) -> is_text(Name) andalso (Value =:= false orelse is_text(Value));
                 (_) -> false
              end, Env).

is_text(Text) ->
    (is_list(Text) orelse is_binary(Text)) andalso
        is_binary(unicode:characters_to_binary(Text, file:native_name_encoding())).

%% in and out together are the same as neither of them.
flags(Settings) ->
    In = lists:member(in, Settings),
    Out = lists:member(out, Settings),
    HasInput = case In andalso not Out of true -> 0; false -> 1 end,
    HasOutput = case Out andalso not In of true -> 0; false -> 2 end,
    Joins = case lists:member(stderr_to_stdout, Settings) of true -> 4; false -> 0 end,
    HasInput + HasOutput + Joins.

%% The name that port_info shows, and the path with the words that the program is started with.
command_of({spawn, Command}, _) ->
    Line = unicode:characters_to_list(Command),
    {Line, ["/bin/sh", "/bin/sh", "-c", "exec " ++ Line]};
command_of({spawn_executable, File}, Settings) ->
    Name = unicode:characters_to_list(File),
    case {filelib:is_file(Name), os:find_executable(filename:absname(Name))} of
        {false, _} -> error(enoent, [{spawn_executable, File}, Settings]);
        {true, false} -> error(eacces, [{spawn_executable, File}, Settings]);
        {true, _} ->
            Arg0 = proplists:get_value(arg0, Settings, Name),
            {Name, [filename:absname(Name), Arg0 | proplists:get_value(args, Settings, [])]}
    end;
command_of({fd, _, _}, _) -> fermata:refuse("erlang:open_port/2 with {fd, In, Out}");
command_of({spawn_driver, _}, _) -> fermata:refuse("erlang:open_port/2 with spawn_driver");
command_of(Name, Settings) -> error(badarg, [Name, Settings]).

environment(Changes) ->
    Names = [unicode:characters_to_list(Name) || {Name, _} <- Changes],
    Kept = [{Name, Value} || {Name, Value} <- os:env(), not lists:member(Name, Names)],
    Set = [Change || {_, Value} = Change <- Changes, Value =/= false],
    [text([Name, $=, Value]) || {Name, Value} <- Kept ++ Set].

text(Chars) ->
    Bytes = case is_binary(Chars) of
                true -> Chars;
                false -> unicode:characters_to_binary(Chars)
            end,
    <<Bytes/binary, 0>>.

%% ---- the process of the port ----

%% Links are the only ties of a port to its owner, as on the real machine.
serve(#port{child = {open, Name, Modes}} = Port, Opener, [], start) ->
    {ok, File} = file:open(Name, [raw, binary | Modes]),
    serve(Port#port{child = {file, File}}, Opener, [], start);
serve(Port, _Opener, [], start) ->
    process_flag(trap_exit, true),
    serve(pump(Port)).

serve(#port{owner = Owner} = Port) ->
    receive
        {?MODULE, From, Ref, close} ->
            From ! {Ref, true},
            finish(Port);
        {?MODULE, From, Ref, Request} ->
            {Reply, Next} = handle(Request, Port),
            From ! {Ref, Reply},
            serve(pump_after(Request, Next));
        {Owner, {command, Data}} ->
            try iolist_to_binary(Data) of
                Bytes -> serve(pump(feed(Bytes, Port)))
            catch
                error:badarg -> fail(badsig, Port)
            end;
        {Owner, close} ->
            say_goodbye(Owner),
            Owner ! {fermata:own_port(), closed},
            finish(Port);
        {Owner, {connect, Pid}} when is_pid(Pid) ->
            Owner ! {fermata:own_port(), connected},
            serve(own(Pid, Port));
        {'EXIT', Owner, _} ->
            finish(Port);
        {'EXIT', _, normal} ->
            serve(Port);
        {'EXIT', _, Reason} ->
            fail(Reason, Port);
        _ ->
            fail(badsig, Port)
    end.

%% Its links end before the owner is told.
say_goodbye(Owner) ->
    {links, Links} = process_info(self(), links),
    lists:member(Owner, Links) andalso begin unlink(Owner), exit(Owner, normal) end.

fail(Reason, #port{child = Child}) ->
    leave(Child),
    exit(Reason).

leave({file, File}) -> file:close(File);
leave(Child) -> fermata:child_close(Child).

write({file, File}, Bytes) -> ok = file:write(File, Bytes);
write(Child, Bytes) -> fermata:child_write(Child, Bytes).

read({file, File}) ->
    case file:read(File, ?AT_ONCE) of
        {ok, Bytes} -> {data, Bytes};
        _ -> eof
    end;
read(Child) ->
    fermata:child_read(Child).

handle({command, Bytes}, Port) -> {true, feed(Bytes, Port)};
handle({connect, Pid}, Port) -> {true, own(Pid, Port)};
handle({set_data, Data}, Port) -> {true, Port#port{data = Data}};
handle(get_data, #port{data = Data} = Port) -> {Data, Port};
handle(info, #port{name = Name, owner = Owner} = Port) ->
    {links, Links} = process_info(self(), links),
    {[{name, Name}, {links, Links}, {id, 0}, {connected, Owner}, {input, 0}, {output, 0}], Port}.

pump_after({command, _}, Port) -> pump(Port);
pump_after(_, Port) -> Port.

own(Pid, Port) ->
    link(Pid),
    Port#port{owner = Pid}.

feed(Bytes, #port{framing = {packet, N}} = Port) when byte_size(Bytes) bsr (N * 8) > 0 ->
    fail(einval, Port);
feed(Bytes, #port{child = Child, framing = {packet, N}} = Port) ->
    Size = N * 8,
    write(Child, <<(byte_size(Bytes)):Size, Bytes/binary>>),
    Port;
feed(Bytes, #port{child = Child} = Port) ->
    write(Child, Bytes),
    Port.

%% Reads until the program waits for input, or has closed its output. The owner gets everything at
%% once: in how many pieces it came depends on the speed of the program. So a program that writes
%% for ever ("cat /dev/zero") cannot be followed.
pump(#port{reads = false} = Port) -> Port;
pump(Port) -> pump(Port, [], 0).

pump(_, _, Len) when Len > ?AT_ONCE ->
    fermata:refuse("a program outside that writes more than 16 MB without waiting for input");
pump(#port{child = Child} = Port, Before, Len) ->
    case read(Child) of
        {data, Bytes} -> pump(Port, [Before, Bytes], Len + byte_size(Bytes));
        waiting -> deliver(iolist_to_binary(Before), Port);
        eof -> at_end(deliver(iolist_to_binary(Before), Port))
    end.

at_end(#port{owner = Owner, child = Child} = Port) ->
    Name = fermata:own_port(),
    leftover(Port),
    _ = [Owner ! {Name, eof} || Port#port.tells_eof],
    _ = [Owner ! {Name, {exit_status, fermata:child_status(Child)}} || Port#port.tells_status],
    case Port#port.tells_eof of
        true -> Port#port{reads = false, buffer = <<>>};
        false -> finish(Port)
    end.

leftover(#port{framing = {line, _}, buffer = Bytes} = Port) when Bytes =/= <<>> ->
    tell({noeol, shape(Bytes, Port)}, Port);
leftover(_) ->
    ok.

finish(#port{child = Child}) ->
    leave(Child),
    exit(normal).

%% ---- what the owner gets ----

deliver(<<>>, Port) ->
    Port;
deliver(Bytes, #port{framing = stream} = Port) ->
    tell(shape(Bytes, Port), Port);
deliver(Bytes, #port{framing = {packet, N}, buffer = Buffer} = Port) ->
    packets(<<Buffer/binary, Bytes/binary>>, N * 8, Port);
deliver(Bytes, #port{framing = {line, Max}, buffer = Buffer} = Port) ->
    lines(<<Buffer/binary, Bytes/binary>>, Max, Port).

packets(Bytes, Size, Port) ->
    case Bytes of
        <<Len:Size, Packet:Len/binary, Rest/binary>> ->
            packets(Rest, Size, tell(shape(Packet, Port), Port));
        _ ->
            Port#port{buffer = Bytes}
    end.

lines(Bytes, Max, Port) ->
    case binary:match(Bytes, <<"\n">>, [{scope, {0, min(byte_size(Bytes), Max + 1)}}]) of
        {At, 1} ->
            <<Line:At/binary, _, Rest/binary>> = Bytes,
            lines(Rest, Max, tell({eol, shape(Line, Port)}, Port));
        nomatch when byte_size(Bytes) >= Max ->
            <<Line:Max/binary, Rest/binary>> = Bytes,
            lines(Rest, Max, tell({noeol, shape(Line, Port)}, Port));
        nomatch ->
            Port#port{buffer = Bytes}
    end.

shape(Bytes, #port{is_binary = true}) -> Bytes;
shape(Bytes, _) -> binary_to_list(Bytes).

tell(Data, #port{owner = Owner} = Port) ->
    Owner ! {fermata:own_port(), {data, Data}},
    Port.
