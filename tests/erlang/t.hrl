%% Macros that every test module of the body uses.

%% A value of which the compiler knows nothing.
-define(ID(Value), tlib:id(Value)).

%% The value of an expression, or {Class, Reason} if it raises.
-define(TRY(Expression), tlib:catching(fun() -> Expression end)).
