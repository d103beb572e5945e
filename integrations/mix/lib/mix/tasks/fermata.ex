defmodule Mix.Tasks.Fermata do
  @shortdoc "Explores the ExUnit tests under all schedules"
  @moduledoc """
  Explores the ExUnit tests of the project under all schedules.

      MIX_ENV=test mix fermata [--compile] [--no-start] [options of fermata test] [FILE.exs[:LINE]]…

  Compiles the project and the test cases, finds everything that they need, and calls `fermata test
  --exunit` with all cases, or with those of the named files, or with the test at a line. The
  configuration is that of `mix test`:
  config/config.exs, and config/runtime.exs as it is now. `--compile` ends after compiling, for
  `fermata run`. As `mix test` does, it starts the application of the project first; `--no-start` does
  not, and `--start` starts others. In the folder of an umbrella project it takes the test cases of all
  applications and starts all of them. `fermata: ["--max-time", "60"]` in the project of mix.exs are further
  options.
  """
  use Mix.Task

  @preferred_cli_env :test

  @impl true
  def run(words) do
    Mix.Task.run("compile")
    Mix.Task.run("loadpaths")
    MixFermata.load_applications()
    Mix.Task.run("app.config")
    {files, words} = take_files(words, [], [])
    {only_compile, words} = {"--compile" in words, List.delete(words, "--compile")}
    all = MixFermata.test_files("**/*_test.exs") |> Enum.map(&{&1, nil})
    files = if files == [], do: all, else: files
    support = MixFermata.test_files("support/**/*.ex")
    cases = MixFermata.compile_cases(support, files)
    config = MixFermata.write_config()
    MixFermata.warn_of_helpers()

    cond do
      only_compile -> :ok
      cases == [] -> Mix.raise("there is no ExUnit case in test/**/*_test.exs")
      true -> explore(config, (Mix.Project.config()[:fermata] || []) ++ words, cases)
    end
  end

  defp explore(config, words, cases) do
    start =
      if "--no-start" in words or "--start" in words,
        do: [],
        else: ["--start", Enum.join(MixFermata.applications(), ",")]

    words = List.delete(words, "--no-start")
    MixFermata.call(["test"] ++ MixFermata.paths() ++ ["--config", config] ++ start ++ words ++
                    ["--exunit" | cases])
  end

  # Test files with an optional line, and the other words. --only-file is the older form.
  defp take_files(["--only-file", file | rest], files, words),
    do: take_files(rest, [check_file(file, nil) | files], words)

  defp take_files([word | rest], files, words) do
    case Regex.run(~r/^([^-].*\.exs)(?::(\d+))?$/, word) do
      nil -> take_files(rest, files, [word | words])
      [_, file | line] -> take_files(rest, [check_file(file, List.first(line)) | files], words)
    end
  end

  defp take_files([], files, words), do: {Enum.reverse(files), Enum.reverse(words)}

  defp check_file(file, line) do
    if File.regular?(file), do: {file, line}, else: Mix.raise("the test file #{file} is not there")
  end
end
