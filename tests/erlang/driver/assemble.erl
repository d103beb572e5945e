%% A small assembler for .beam files. erlc's own refuses instructions that its
%% release does not know or no longer emits; this one writes whatever it is
%% told, so that bodies can be written for older and newer releases.
%%
%% The source is a file of terms:
%%
%%     {module, M}.
%%     {exports, [{F, Arity}]}.
%%     {function, F, Arity}.        begins a function; label and func_info are written for it
%%     {label, N}.                  N is any atom or integer, unique in the file
%%     Instruction.                 an atom, or a tuple of name and operands
%%     {lambda, Name, F, Arity, Free}.   an entry of the fun table; {fun_index, Name} refers to it
%%     {entry, F, Arity}            as an operand: the label of a function of this module
%%
%% Operands: N (unsigned), {integer, I}, {atom, A}, nil, {x, N}, {y, N}, {fr, N}, {f, Label},
%% {literal, T}, {list, Operands}, {alloc, [{words | floats | funs, N}]}, {extfunc, M, F, A},
%% {string, Binary} (its offset in the string table), {typed, Register, TypeIndex}.
-module(assemble).
-export([file/2, beam/1]).

-record(asm, {module, atoms = #{}, imports = #{}, literals = #{}, strings = <<>>,
              labels = #{}, lambdas = [], lambda_names = #{}, entries = #{},
              highest = 176}). % of OTP 24: OTP 27 refuses files that claim less

%% Instructions that are not in the compiler's own table in every release.
extra_opcodes() ->
    #{{put_string, 3} => 68, {put_tuple, 2} => 70, {put, 1} => 71,
      {allocate_zero, 2} => 14, {allocate_heap_zero, 3} => 15, {init, 1} => 17,
      {bs_put_integer, 5} => 89, {bs_put_binary, 5} => 90, {bs_put_float, 5} => 91,
      {bs_put_string, 2} => 92, {fclearerror, 0} => 94, {fcheckerror, 1} => 95,
      {make_fun2, 1} => 103, {bs_init2, 6} => 109, {bs_add, 5} => 111,
      {bs_start_match2, 5} => 116, {bs_save2, 2} => 122, {bs_restore2, 2} => 123,
      {bs_context_to_binary, 1} => 130, {bs_test_unit, 3} => 131, {bs_append, 8} => 134,
      {bs_private_append, 6} => 135, {bs_init_bits, 6} => 137, {bs_utf8_size, 3} => 144,
      {bs_put_utf8, 3} => 145, {bs_utf16_size, 3} => 146, {bs_put_utf16, 3} => 147,
      {bs_put_utf32, 3} => 148, {recv_mark, 1} => 150, {recv_set, 1} => 151,
      {update_record, 5} => 181, {bs_match, 3} => 182, {executable_line, 2} => 183,
      {debug_line, 4} => 184}.

%% Assembles a source file into a .beam file of the same name.
file(File, OutDir) ->
    {ok, Terms} = file:consult(File),
    Out = filename:join(OutDir, filename:basename(File, ".S") ++ ".beam"),
    file:write_file(Out, beam(Terms)).

%% The module that the terms describe, as a binary.
beam([{module, M}, {exports, Exports} | Items]) ->
    Asm0 = name_labels(Items, #asm{module = M}),
    {_, Asm1} = atom_index(M, Asm0),
    {Code, Asm2} = lists:mapfoldl(fun item/2, Asm1, Items),
    {ExportTable, Asm3} = lists:mapfoldl(fun export/2, Asm2, Exports),
    {LambdaTable, Asm4} = lists:mapfoldl(fun lambda/2, Asm3, lists:reverse(Asm3#asm.lambdas)),
    Functions = length([F || {function, F, _} <- Items]),
    container(Asm4, [Code, 3], Functions, ExportTable, LambdaTable).

%% Labels are numbered in the order of their definition, from 1. A function
%% takes two: one for its func_info and one for its entry.
name_labels(Items, Asm) ->
    {_, Named} = lists:foldl(fun name_label/2, {1, Asm}, Items),
    Named.

name_label({function, F, A}, {Next, Asm = #asm{entries = E}}) ->
    {Next + 2, Asm#asm{entries = E#{{F, A} => Next + 1}}};
name_label({label, L}, {Next, Asm = #asm{labels = Ls}}) ->
    false = maps:is_key(L, Ls),
    {Next + 1, Asm#asm{labels = Ls#{L => Next}}};
name_label({lambda, Name, F, A, Free}, {Next, Asm = #asm{lambdas = Fs, lambda_names = Names}}) ->
    Index = length(Fs),
    {Next, Asm#asm{lambdas = [{Index, F, A, Free} | Fs], lambda_names = Names#{Name => Index}}};
name_label(_, State) ->
    State.

item({lambda, _, _, _, _}, Asm) ->
    {[], Asm};
item({function, F, A}, Asm) ->
    Entry = maps:get({F, A}, Asm#asm.entries),
    instructions([{label, {number, Entry - 1}},
                  {func_info, {atom, Asm#asm.module}, {atom, F}, A},
                  {label, {number, Entry}}], Asm);
item({label, L}, Asm) ->
    instructions([{label, {number, maps:get(L, Asm#asm.labels)}}], Asm);
item(Instruction, Asm) ->
    instructions([Instruction], Asm).

instructions(List, Asm) ->
    lists:mapfoldl(fun instruction/2, Asm, List).

instruction({label, {number, N}}, Asm) ->
    {[1, compact(0, N)], Asm};
instruction(Name, Asm) when is_atom(Name) ->
    instruction({Name}, Asm);
instruction(Tuple, Asm) ->
    [Name | Operands] = tuple_to_list(Tuple),
    Opcode = opcode(Name, length(Operands)),
    {Encoded, Asm1} = lists:mapfoldl(fun operand/2, Asm, Operands),
    {[Opcode | Encoded], Asm1#asm{highest = max(Opcode, Asm1#asm.highest)}}.

opcode(Name, Arity) ->
    case extra_opcodes() of
        #{{Name, Arity} := Opcode} -> Opcode;
        #{} -> beam_opcodes:opcode(Name, Arity)
    end.

operand(N, Asm) when is_integer(N) -> {compact(0, N), Asm};
operand({integer, I}, Asm) -> {compact(1, I), Asm};
operand(nil, Asm) -> {compact(2, 0), Asm};
operand({atom, A}, Asm) ->
    {Index, Asm1} = atom_index(A, Asm),
    {compact(2, Index), Asm1};
operand({x, N}, Asm) -> {compact(3, N), Asm};
operand({y, N}, Asm) -> {compact(4, N), Asm};
operand({f, 0}, Asm) -> {compact(5, 0), Asm};
operand({f, L}, Asm) -> {compact(5, maps:get(L, Asm#asm.labels)), Asm};
operand({entry, F, A}, Asm) -> {compact(5, maps:get({F, A}, Asm#asm.entries)), Asm};
operand({fr, N}, Asm) -> {[16#27, compact(0, N)], Asm};
operand({list, Operands}, Asm) ->
    {Encoded, Asm1} = lists:mapfoldl(fun operand/2, Asm, Operands),
    {[16#17, compact(0, length(Operands)), Encoded], Asm1};
operand({alloc, Kinds}, Asm) ->
    {[16#37, compact(0, length(Kinds)), [alloc(Kind) || Kind <- Kinds]], Asm};
operand({literal, Term}, Asm) ->
    {Index, Literals} = index_of(Term, Asm#asm.literals, 0),
    {[16#47, compact(0, Index)], Asm#asm{literals = Literals}};
operand({typed, Register, Type}, Asm) ->
    {Encoded, Asm1} = operand(Register, Asm),
    {[16#57, Encoded, compact(0, Type)], Asm1};
operand({string, Binary}, Asm = #asm{strings = Strings}) ->
    {compact(0, byte_size(Strings)), Asm#asm{strings = <<Strings/binary, Binary/binary>>}};
operand({fun_index, Name}, Asm) ->
    {compact(0, maps:get(Name, Asm#asm.lambda_names)), Asm};
operand({extfunc, M, F, A}, Asm) ->
    {MI, Asm1} = atom_index(M, Asm),
    {FI, Asm2} = atom_index(F, Asm1),
    {Index, Imports} = index_of({MI, FI, A}, Asm2#asm.imports, 0),
    {compact(0, Index), Asm2#asm{imports = Imports}}.

alloc({words, N}) -> [compact(0, 0), compact(0, N)];
alloc({floats, N}) -> [compact(0, 1), compact(0, N)];
alloc({funs, N}) -> [compact(0, 2), compact(0, N)].

atom_index(Atom, Asm) ->
    {Index, Atoms} = index_of(Atom, Asm#asm.atoms, 1),
    {Index, Asm#asm{atoms = Atoms}}.

index_of(Key, Map, First) ->
    case Map of
        #{Key := Index} -> {Index, Map};
        #{} -> {First + map_size(Map), Map#{Key => First + map_size(Map)}}
    end.

%% The variable-length number of operands: 4 bits, 11 bits, or bytes.
compact(Tag, N) when N >= 0, N < 16 -> [N bsl 4 bor Tag];
compact(Tag, N) when N >= 0, N < 2048 -> [(N bsr 3) band 16#E0 bor 8 bor Tag, N band 255];
compact(Tag, N) ->
    Bytes = signed_bytes(N, 2),
    case byte_size(Bytes) of
        Size when Size =< 8 -> [(Size - 2) bsl 5 bor 16#18 bor Tag, Bytes];
        Size -> [16#F8 bor Tag, compact(0, Size - 9), Bytes]
    end.

signed_bytes(N, Size) ->
    Bits = Size * 8,
    case <<N:Bits/signed>> of
        <<N:Bits/signed>> = Bytes -> Bytes;
        _ -> signed_bytes(N, Size + 1)
    end.

export({F, A}, Asm) ->
    {Index, Asm1} = atom_index(F, Asm),
    {<<Index:32, A:32, (maps:get({F, A}, Asm#asm.entries)):32>>, Asm1}.

lambda({Index, F, A, Free}, Asm) ->
    {Atom, Asm1} = atom_index(F, Asm),
    Label = maps:get({F, A}, Asm#asm.entries),
    {<<Atom:32, A:32, Label:32, Index:32, Free:32, 0:32>>, Asm1}.

container(Asm, Code, Functions, Exports, Lambdas) ->
    Labels = map_size(Asm#asm.labels) + 2 * map_size(Asm#asm.entries) + 1,
    Chunks = [chunk("AtU8", atoms(Asm)),
              chunk("Code", [<<16:32, 0:32, (Asm#asm.highest):32, Labels:32, Functions:32>>, Code]),
              chunk("StrT", Asm#asm.strings),
              chunk("ImpT", counted([<<M:32, F:32, A:32>>
                  || {M, F, A} <- ordered(Asm#asm.imports)])),
              chunk("ExpT", counted(Exports)),
              chunk("FunT", counted(Lambdas)),
              literals(Asm),
              chunk("LocT", counted([]))],
    Body = iolist_to_binary(["BEAM" | Chunks]),
    <<"FOR1", (byte_size(Body)):32, Body/binary>>.

chunk(Name, Data) ->
    Binary = iolist_to_binary(Data),
    Padding = -byte_size(Binary) band 3,
    [Name, <<(byte_size(Binary)):32>>, Binary, <<0:(8 * Padding)>>].

counted(Entries) -> [<<(length(Entries)):32>> | Entries].

ordered(Map) -> [Key || {_, Key} <- lists:sort([{I, Key} || {Key, I} <- maps:to_list(Map)])].

atoms(#asm{atoms = Atoms}) ->
    counted([begin
                 Text = atom_to_binary(A),
                 [byte_size(Text), Text]
             end || A <- ordered(Atoms)]).

%% No chunk if there are none, so that small modules can be made without zlib.
literals(#asm{literals = Literals}) when Literals =:= #{} -> [];
literals(#asm{literals = Literals}) ->
    Terms = [term_to_binary(T) || T <- ordered(Literals)],
    Table = iolist_to_binary(counted([[<<(byte_size(T)):32>>, T] || T <- Terms])),
    chunk("LitT", [<<(byte_size(Table)):32>>, zlib:compress(Table)]).
