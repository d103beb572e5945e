%% Files in memory, on which dets and erl_tar can work.
-module(t_ram_file).
-export([reads/0, writes/0, places/0, modes/0, extends/0, truncates/0, archive/0, table/0]).
-include("t.hrl").

with(Data, Modes, Fun) ->
    {ok, File} = file:open(Data, [ram | Modes]),
    Result = Fun(File),
    {Result, file:close(File)}.

reads() ->
    [with("0123456789", Modes, fun(F) -> [file:read(F, N) || N <- [3, 0, 4, 10, 1]] end)
     || Modes <- [[read], [read, binary]]].

writes() ->
    with(<<"0123456789">>, [read, write, binary],
         fun(F) -> [file:write(F, "ab"), file:pwrite(F, 5, <<"xyz">>), file:position(F, bof),
                    file:read(F, 20), file:pread(F, [{0, 2}, {8, 5}, {20, 1}])] end).

places() ->
    with("0123456789", [read],
         fun(F) -> [file:position(F, P)
                    || P <- [3, {cur, 2}, {eof, -1}, {bof, -1}, eof, {cur, 5}]] end).

modes() ->
    [with("abc", [read],
          fun(F) -> [file:write(F, "x"), file:pwrite(F, 0, "x"), file:truncate(F)] end),
     with("abc", [write], fun(F) -> [file:read(F, 1), file:pread(F, 0, 1), file:write(F, "x")] end),
     ?TRY(file:open("abc", [ram, xyz]))].

extends() ->
    with("ab", [read, write, binary],
         fun(F) -> [file:position(F, 5), file:write(F, "z"), file:pread(F, 0, 10),
                    ram_file:get_size(F), ram_file:get_file(F)] end).

truncates() ->
    with("0123456789", [read, write, binary],
         fun(F) -> [file:position(F, 4), file:truncate(F), file:pread(F, 0, 10)] end).

archive() ->
    {ok, {_, Bytes}} = zip:zip("x.zip", [{"a", <<"one">>}, {"b", <<"two">>}], [memory]),
    {byte_size(Bytes) > 0, erl_tar:extract({binary, <<0:8192>>}, [memory])}.

table() ->
    File = "t_ram_file." ++ os:getpid(),
    {ok, T} = dets:open_file(t_ram_table, [{file, File}, {ram_file, true}]),
    ok = dets:insert(T, [{1, a}, {2, b}]),
    Result = {dets:lookup(T, 2), dets:info(T, size), dets:close(T)},
    file:delete(File),
    Result.
