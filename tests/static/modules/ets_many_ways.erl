%% An argument that only the entry knows decides whether the write is reached, and a recursion
%% through funs makes many ways from the entry to it.
-module(ets_many_ways).
-export([start/0]).

start() ->
    ets:new(words, [named_table, public]),
    case init:get_plain_arguments() of
        ["-mark", Dir, Files] -> all(Dir, Files, mark);
        [Dir, Files] -> all(Dir, Files, count)
    end.

all(Dir, Files, Mode) ->
    lists:foreach(fun(File) -> file(Dir, File, Mode) end, Files).

file(Dir, File, Mode) ->
    case epp:parse_file(File, [Dir], []) of
        {ok, Forms} -> lists:foreach(fun(Form) -> form(Dir, File, Form, Mode) end, Forms);
        _ -> ok
    end.

form(_, File, {call, _, [_, {string, Line, Word}]}, Mode) ->
    word(File, Line, Word, Mode);
form(Dir, File, List, Mode) when is_list(List) ->
    lists:foreach(fun(Form) -> form(Dir, File, Form, Mode) end, List);
form(Dir, File, Tuple, Mode) when is_tuple(Tuple) ->
    lists:foreach(fun(Form) -> form(Dir, File, Form, Mode) end, tuple_to_list(Tuple));
form(_, _, _, _) ->
    ok.

word(_, _, "", _) ->
    ok;
word(File, Line, Word, Mode) ->
    case {ets:lookup(words, Word), Mode} of     %% read: a
        {[], mark} -> ets:insert(words, {Word, File, Line}); %% write: a
        {[{_, _, _}], mark} -> ok;
        {[{_, _, _}], drop} -> ets:delete(words, Word);
        _ -> ok
    end.
