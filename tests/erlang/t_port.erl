%% Ports to programs outside and to files: how they close, and what a port to a file reads and writes.
-module(t_port).
-export([closed/0, read/0, write/0, wrong/0]).
-include("t.hrl").

%% The link of the owner ends before the owner hears that the port is closed.
closed() ->
    process_flag(trap_exit, true),
    [with_file(fun(File) ->
         Open = fun() -> open_port(case Kind of file -> File; _ -> Kind end, [out]) end,
         First = Open(),
         First ! {self(), close},
         A = flush(First),
         Second = Open(),
         true = port_close(Second),
         B = flush(Second),
         Third = Open(),
         unlink(Third),
         Third ! {self(), close},
         {A, B, flush(Third)}
     end) || Kind <- [{spawn, "cat"}, file]].

read() ->
    process_flag(trap_exit, true),
    [with_file(fun(File) ->
         ok = file:write_file(File, <<0, 3, "abc\nline two">>),
         Port = open_port(File, Settings),
         Got = flush(Port),
         Is = erlang:port_info(Port) =/= undefined,
         catch port_close(Port),
         {Settings, Got, Is, flush(Port)}
     end) || Settings <- [[in], [in, binary], [in, eof], [in, {line, 4}], [in, binary, {line, 80}],
                          [in, stream], [in, {packet, 2}], [in, out], []]].

write() ->
    process_flag(trap_exit, true),
    [with_file(fun(File) ->
         ok = file:write_file(File, "before"),
         Port = open_port(File, Settings),
         Empty = file:read_file(File),
         true = port_command(Port, "abc"),
         Port ! {self(), {command, [<<"d">>, "ef"]}},
         Info = {erlang:port_info(Port, name) =:= {name, File},
                 erlang:port_info(Port, connected) =:= {connected, self()}},
         true = port_close(Port),
         {Empty, Info, flush(Port), file:read_file(File)}
     end) || Settings <- [[out], [out, {packet, 2}], [out, binary]]].

wrong() ->
    [?TRY(open_port(?ID(Name), ?ID(Settings)))
     || {Name, Settings} <- [{"/no/such/file", [in]}, {"/no/such/file", [out]}, {"/", [out]},
                             {no_such_file, [in]}, {"", [in]}, {<<"/">>, [in]}, {[a], [in]},
                             {[256], [in]}, {"file", [wrong]}, {"file", wrong}, {1, []}]].

with_file(Fun) ->
    File = "t_port_" ++ os:getpid(),
    try Fun(File) after file:delete(File) end.

flush(Port) ->
    receive
        {Port, Message} -> [Message | flush(Port)];
        {'EXIT', Port, Reason} -> [{exit, Reason} | flush(Port)]
    after 100 -> []
    end.
