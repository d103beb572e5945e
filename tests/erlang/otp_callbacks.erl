%% Callback modules in one: a gen_server, a gen_event handler, a supervisor, an application.
%% The work travels as a fun in the start argument, so the tests read in one place.
-module(otp_callbacks).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, handle_continue/2, terminate/2,
         code_change/3, format_status/1]).
-export([start/2, stop/1, start_worker/2, start_proc/2, log/2, adder/1]).

init({server, Fun}) -> Fun();
init({event, State}) -> {ok, State};
init({supervisor, Spec}) -> Spec;
init({crash, Reason}) -> exit(Reason);
init(Other) -> Other.

handle_call({do, Fun}, From, State) -> Fun(From, State);
handle_call(get, _From, State) -> {reply, State, State}.

handle_cast({do, Fun}, State) -> Fun(State);
handle_cast(Message, State) -> {noreply, [{cast, Message} | State]}.

handle_info({do, Fun}, State) -> Fun(State);
handle_info(Message, State) -> {noreply, [{info, Message} | State]}.

handle_continue(Continue, State) -> {noreply, [{continue, Continue} | State]}.

terminate(Reason, {notify, Pid, What}) -> Pid ! {terminated, What, Reason};
terminate(_, _) -> ok.

code_change(_, State, Extra) -> {ok, {changed, State, Extra}}.

format_status(Status) -> Status#{state => formatted}.

%% An application whose supervisor has one worker.
start(_Type, Args) ->
    Worker = #{id => worker, start => {?MODULE, start_worker, [t_otp_app_worker, Args]}},
    supervisor:start_link({local, t_otp_app_sup}, ?MODULE, {supervisor, {ok, {#{}, [Worker]}}}).
stop(_State) -> ok.

start_worker(Name, State) ->
    gen_server:start_link({local, Name}, ?MODULE, {server, fun() -> {ok, State} end}, []).

%% A plain proc_lib child that reports its start to its starter.
start_proc(Parent, Result) ->
    proc_lib:init_ack(Parent, Result),
    receive stop -> ok end.

%% A logger handler that tells a process what was logged.
log(#{level := Level, msg := Message}, #{config := #{pid := Pid}}) ->
    Pid ! {logged, Level, Message}.

%% A fun, which outlives this module.
adder(A) -> fun(B) -> A + B end.
