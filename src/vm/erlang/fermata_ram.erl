%% The port behind ram_file: a file that is a binary. It answers the requests of ram_file and, as
%% every port does, those of fermata_port.
-module(fermata_ram).
-export([open/1, serve/3]).

-record(ram, {owner, is_binary, mode = 0, bytes = <<>>, at = 0, data = undefined}).

open(Settings) ->
    fermata:start_port(?MODULE, serve, [self(), lists:member(binary, Settings), start]).

serve(Owner, IsBinary, start) ->
    process_flag(trap_exit, true),
    loop(#ram{owner = Owner, is_binary = IsBinary}).

loop(#ram{owner = Owner} = Ram) ->
    receive
        {fermata_port, From, Ref, close} ->
            unlink(From),
            From ! {Ref, true};
        {fermata_port, From, Ref, {command, Bytes}} ->
            {Answer, Next} = request(Bytes, Ram),
            From ! {Ref, true},
            Owner ! {fermata:own_port(), {data, Answer}},
            loop(Next);
        {fermata_port, From, Ref, {connect, Pid}} ->
            link(Pid),
            From ! {Ref, true},
            loop(Ram#ram{owner = Pid});
        {fermata_port, From, Ref, {set_data, Data}} ->
            From ! {Ref, true},
            loop(Ram#ram{data = Data});
        {fermata_port, From, Ref, get_data} ->
            From ! {Ref, Ram#ram.data},
            loop(Ram);
        {fermata_port, From, Ref, info} ->
            {links, Links} = process_info(self(), links),
            From ! {Ref, [{name, "ram_file_drv"}, {links, Links}, {id, 0}, {connected, Owner},
                          {input, 0}, {output, 0}]},
            loop(Ram);
        {'EXIT', Owner, _} -> ok;
        {'EXIT', _, normal} -> loop(Ram);
        {'EXIT', _, Reason} -> exit(Reason);
        _ -> exit(badsig)
    end.

%% ---- requests: the answer, and the file after it ----

request(<<1, Mode:32, Bytes/binary>>, Ram) ->
    {number(0), Ram#ram{mode = Mode, bytes = Bytes}};
request(<<14>>, #ram{mode = Mode} = Ram) when Mode band 2 =:= 0 -> {failure(eacces), Ram};
request(<<Kind, _/binary>>, #ram{mode = Mode} = Ram)
  when Mode band 1 =:= 0, (Kind =:= 2 orelse Kind =:= 17);
       Mode band 2 =:= 0, (Kind =:= 4 orelse Kind =:= 18) ->
    {failure(ebadf), Ram};
request(<<2, Size:32>>, #ram{at = At} = Ram) ->
    Part = part(At, Size, Ram),
    {bytes(Part, Ram), Ram#ram{at = At + byte_size(Part)}};
request(<<3, Offset:32/signed, Whence:32>>, #ram{bytes = Bytes, at = At} = Ram) ->
    Base = case Whence of 0 -> 0; 1 -> At; 2 -> byte_size(Bytes) end,
    case Base + Offset of
        Place when Place < 0 -> {failure(einval), Ram};
        Place -> {number(Place), Ram#ram{at = Place}}
    end;
request(<<4, New/binary>>, #ram{at = At} = Ram) ->
    {number(byte_size(New)), (put_at(At, New, Ram))#ram{at = At + byte_size(New)}};
request(<<14>>, #ram{at = At} = Ram) ->
    <<Kept:At/binary, _/binary>> = padded(At, Ram),
    {[0], Ram#ram{bytes = Kept}};
request(<<17, At:32/signed, _:32>>, Ram) when At < 0 -> {failure(einval), Ram};
request(<<17, At:32, Size:32>>, Ram) -> {bytes(part(At, Size, Ram), Ram), Ram};
request(<<18, At:32/signed, _/binary>>, Ram) when At < 0 -> {failure(einval), Ram};
request(<<18, At:32, New/binary>>, Ram) -> {number(byte_size(New)), put_at(At, New, Ram)};
request(<<30>>, #ram{bytes = Bytes} = Ram) -> {bytes(Bytes, Ram), Ram};
request(<<37>>, #ram{bytes = Bytes} = Ram) -> {number(byte_size(Bytes)), Ram};
request(<<Kind, _/binary>>, Ram) when Kind =:= 9; Kind =:= 19; Kind =:= 38; Kind =:= 39 ->
    {[0], Ram};
request(_, _) -> fermata:refuse("a request to ram_file_drv").

part(At, Size, #ram{bytes = Bytes}) ->
    Have = max(0, min(Size, byte_size(Bytes) - At)),
    binary:part(Bytes, min(At, byte_size(Bytes)), Have).

%% At least so many bytes.
padded(Size, #ram{bytes = Bytes}) ->
    Missing = max(0, Size - byte_size(Bytes)),
    <<Bytes/binary, 0:Missing/unit:8>>.

put_at(At, New, _) when At + byte_size(New) >= 1 bsl 28 ->
    fermata:refuse("a ram_file of 256 megabytes or more");
put_at(At, New, Ram) ->
    Size = byte_size(New),
    <<Before:At/binary, _:Size/binary, After/binary>> = padded(At + Size, Ram),
    Ram#ram{bytes = <<Before/binary, New/binary, After/binary>>}.

number(N) -> binary_to_list(<<3, N:32>>).

bytes(Bytes, #ram{is_binary = IsBinary}) ->
    Head = binary_to_list(<<2, (byte_size(Bytes)):32>>),
    Head ++ case IsBinary of
                true -> Bytes;
                false -> binary_to_list(Bytes)
            end.

failure(Reason) -> [1 | atom_to_list(Reason)].
