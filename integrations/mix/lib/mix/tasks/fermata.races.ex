defmodule Mix.Tasks.Fermata.Races do
  @shortdoc "Finds races in the compiled modules without running them"
  @moduledoc """
  Finds races in the compiled modules of the project without running them.

      mix fermata.races [options of fermata races]
  """
  use Mix.Task

  @impl true
  def run(words) do
    Mix.Task.run("compile")
    MixFermata.call(["races"] ++ MixFermata.own_folders() ++ words)
  end
end
