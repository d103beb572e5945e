%% Values that were once wrong, one function each.
-module(t_corners).
-export([bad_timeout_keeps_messages/0, bad_timeout_in_fun/0, tail_larger_than_any/0,
         guard_result_behind_label/0]).
-include("t.hrl").

%% A receive that raises because of its timeout ends: the next one looks at all messages.
bad_timeout_keeps_messages() ->
    self() ! init,
    R = try receive blipp -> ok after ?ID(blupp) -> ok end catch C:E -> {C, E} end,
    {R, receive init -> got after 0 -> lost end}.

bad_timeout_in_fun() ->
    self() ! a,
    self() ! b,
    F = fun(T) -> try receive c -> ok after T -> ok end catch _:E -> E end end,
    [F(T) || T <- [-1, 1.5, 1 bsl 40]] ++ [receive a -> a end, receive b -> b end].

tail_larger_than_any() ->
    [try tail(B) catch error:function_clause -> no end || B <- [<<0:8, 0:200>>, <<>>]].

tail(<<B:8, _:16#1_0000_0000_0000_0000>>) -> B.

%% The compiler knows that is_map_key cannot fail here, so it uses the result behind the label that
%% stands for a failure.
guard_result_behind_label() ->
    [keys(M) || M <- [#{abc => 0, jkl => 0}, #{abc => 0, def => 0}, #{def => 0, jkl => 0},
                      #{abc => 0, mno => 0, jkl => 0}, #{jkl => 0}, #{}]].

keys(#{} = Map) ->
    case case Abc = is_map_key(abc, Map) of
             false -> false;
             _ -> is_map_key(def, Map)
         end of
        true ->
            abc;
        false ->
            case case Jkl = is_map_key(jkl, Map) of
                     false -> false;
                     _ -> is_map_key(def, Map)
                 end of
                true ->
                    jkl;
                false ->
                    case case Abc of
                             false -> false;
                             _ -> is_map_key(mno, Map)
                         end of
                        true ->
                            mno;
                        false ->
                            case Jkl of
                                true -> only_jkl;
                                false -> error
                            end
                    end
            end
    end.
