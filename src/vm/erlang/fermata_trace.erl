%% Parts of tracing that are written in Erlang (process/trace.h).
-module(fermata_trace).
-export([delivered/1]).

%% A trace message is in the mailbox of the tracer when the traced process goes on. So all of them
%% have been delivered, and only the message that says so is left to send.
delivered(Tracee) ->
    Ref = make_ref(),
    self() ! {trace_delivered, Tracee, Ref},
    Ref.
