%% The late reply: a client that gives up waiting and asks again may take the answer to its first
%% question for the answer to its second. It needs a timeout that fires while the server is slow.
%%
%% stale/0 is wrong; with timeouts of 5 seconds it is only seen when asked for (--timeouts any).
%% alias/0 is the fix that gen_server:call itself uses since OTP 24: an alias that dies with the
%% call. tagged/0 is the older fix: each question carries a fresh reference.
%%
%% expect: stale => proved
%% expect: stale --timeouts any => bug,abnormal-exit
%% expect: stale --timeouts idle => proved
%% expect: alias --timeouts any => proved
%% expect: tagged --timeouts any => proved
-module(late_reply).
-export([stale/0, alias/0, tagged/0]).

stale() -> two_questions(fun ask_untagged/2).
alias() -> two_questions(fun ask_alias/2).
tagged() -> two_questions(fun ask_tagged/2).

two_questions(Ask) ->
    Server = spawn(fun serve/0),
    answer(one, Ask(Server, one)),
    answer(two, Ask(Server, two)),
    Server ! stop.

%% No answer in time is fine; an answer to something else is not.
answer(_, timeout) -> ok;
answer(Question, {to, Question}) -> ok.

serve() ->
    receive
        {Reply, Tag, Question} -> Reply ! {Tag, {to, Question}}, serve();
        stop -> ok
    end.

ask_untagged(Server, Question) ->
    Server ! {self(), reply, Question},
    receive {reply, Answer} -> Answer
    after 5000 -> timeout
    end.

ask_tagged(Server, Question) ->
    Ref = make_ref(),
    Server ! {self(), Ref, Question},
    receive {Ref, Answer} -> Answer
    after 5000 -> timeout
    end.

ask_alias(Server, Question) ->
    Alias = erlang:alias([reply]),
    Server ! {Alias, reply, Question},
    receive {reply, Answer} -> Answer
    after 5000 -> given_up(unalias(Alias))
    end.

%% The answer came between the timeout and the unalias: it is here, take it.
given_up(true) -> timeout;
given_up(false) -> receive {reply, Answer} -> Answer end.
