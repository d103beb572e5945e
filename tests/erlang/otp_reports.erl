%% A handler of error_logger that passes its events on, for t_tools.
-module(otp_reports).
-behaviour(gen_event).
-export([init/1, handle_event/2, handle_call/2]).

init(Pid) -> {ok, Pid}.
handle_event(Event, Pid) -> Pid ! {reported, Event}, {ok, Pid}.
handle_call(_, Pid) -> {ok, ok, Pid}.
