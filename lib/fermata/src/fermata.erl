%% Annotations for programs that are tested with Fermata.
%%
%% On Fermata's own machine these functions are native, and this module is not needed. On the real
%% one they do nothing: put this file (or the folder, as a dependency) beside your own sources, so
%% that annotated code compiles, passes the checks of your tools and runs everywhere.
-module(fermata).
-export([is_explored/0]).

%% Whether `fermata test` decides who goes next. A test may want to be smaller then: two clients
%% instead of a hundred show the same races, and all their interleavings can be tried.
-spec is_explored() -> boolean().
is_explored() -> false.
