%% Compiles the body once per flavour. A flavour is a set of compiler options
%% that makes the compiler emit other instructions for the same source: older
%% releases' ones, or those that optimisation would have removed.
-module(build).
-export([main/1]).

flavour("default") -> [];
flavour("inline") -> [inline, {inline_size, 100}, {inline_effort, 500}];
flavour("noopt") -> [no_copt, no_ssa_opt, no_type_opt, no_bool_opt, no_recv_opt,
                     no_stack_trimming, no_postopt];
flavour("r24") -> [r24];
flavour("r23") -> [r23];
flavour("r22") -> [r22];
flavour("nolines") -> [no_line_info].

%% Flavour, output directory, then source files (.erl, or .S for our assembler).
main([Flavour, OutDir | Files]) ->
    Options = flavour(Flavour) ++ [{outdir, OutDir}, debug_info, report_errors, nowarn_nif_inline,
                                   {i, filename:dirname(hd(Files ++ ["."]))}],
    Results = [build_file(filename:extension(File), File, OutDir, Options) || File <- Files],
    halt(case lists:member(error, Results) of true -> 1; false -> 0 end).

build_file(".S", File, OutDir, _) ->
    try
        assemble:file(File, OutDir)
    catch
        Class:Reason:Stack ->
            io:format(standard_error, "~ts: ~p~n", [File, {Class, Reason, Stack}]),
            error
    end;
build_file(".erl", File, _, Options) ->
    case compile:file(File, Options) of
        {ok, _} -> ok;
        _ -> error
    end.
