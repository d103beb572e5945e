-module(empty).
-export([f/0]).

f() -> ok.
