defmodule MixFermata do
  @moduledoc """
  The work of `mix fermata` and `mix fermata.races`: finds the .beam files of the project and calls the
  program `fermata`.
  """

  @doc "The folder in which the compiled test cases are."
  def cases_folder, do: Path.join(Mix.Project.build_path(), "cases")

  @doc "The application of the project; of an umbrella project all of them."
  def applications do
    case Mix.Project.apps_paths() do
      nil -> [Mix.Project.config()[:app]]
      apps -> apps |> Map.keys() |> Enum.sort()
    end
  end

  @doc "The folders with the .beam files of these applications."
  def own_folders do
    for app <- applications(), do: Path.join(Mix.Project.build_path(), "lib/#{app}/ebin")
  end

  @doc "Files of the folder test, or of those of all applications."
  def test_files(pattern) do
    folders = Mix.Project.apps_paths() || %{nil: "."}

    for {_, folder} <- Enum.sort(folders),
        file <- Path.wildcard(Path.join([folder, "test", pattern])),
        do: file
  end

  @doc "Makes the modules and the configuration of the applications known to this node."
  def load_applications do
    Enum.each(own_folders(), &Code.prepend_path/1)
    Enum.each(applications(), &Application.load/1)
  end

  @doc "-pa FOLDER for the project, its dependencies and the test cases."
  def paths do
    Mix.Project.build_path()
    |> Path.join("lib/*/ebin")
    |> Path.wildcard()
    |> Kernel.++([cases_folder()])
    |> Enum.flat_map(&["-pa", &1])
  end

  @doc """
  Compiles the test files, which mix itself never writes to disk, and returns the names of the cases in
  them; of `{file, line}` with the line, as `fermata test --exunit` takes it.
  """
  def compile_cases(support, files) do
    lines = for {file, line} <- files, line, into: %{}, do: {Path.expand(file), ":" <> line}
    ExUnit.start(autorun: false)
    File.rm_rf!(cases_folder())
    File.mkdir_p!(cases_folder())

    case Kernel.ParallelCompiler.compile_to_path(support ++ Enum.map(files, &elem(&1, 0)), cases_folder()) do
      {:ok, modules, _warnings} ->
        for module <- modules, function_exported?(module, :__ex_unit__, 0) do
          source = module.module_info(:compile)[:source] |> to_string() |> Path.expand()
          inspect(module) <> Map.get(lines, source, "")
        end

      {:error, _errors, _warnings} ->
        Mix.raise("the tests do not compile")
    end
  end

  @doc "Warns of the files test_helper.exs that do more than to start ExUnit: they are not run."
  def warn_of_helpers do
    for file <- test_files("test_helper.exs"),
        lines = String.split(File.read!(file), "\n"),
        Enum.any?(lines, &not Regex.match?(~r/^\s*(#.*|ExUnit\.start(\(.*\))?\s*)?$/, &1)),
        do: Mix.shell().error("fermata: #{file} is not run; if tests need what it does, a function " <>
                              "with it can be given: --setup MODULE:FUNCTION")
  end

  @doc """
  The configuration of all applications as a file that `fermata --config` reads. Values that cannot be
  written as text (functions, processes) are left out, and a warning names each of them.
  """
  def write_config do
    apps = for {app, _, _} <- Application.loaded_applications(), do: app
    env = for app <- Enum.sort(apps), app not in [:kernel, :stdlib], values = plain(app),
              values != [], do: {app, values}
    file = Path.join(Mix.Project.build_path(), "fermata.config")
    File.write!(file, :io_lib.format("~p.~n", [env]))
    file
  end

  defp plain(app) do
    for {key, value} <- Application.get_all_env(app), plain?(value) or warn(app, key), do: {key, value}
  end

  # Logger and mix set values of their own, which no config file has.
  defp warn(app, key) do
    if app not in [:logger, :mix],
      do: Mix.shell().error("fermata: config #{inspect(app)}, #{inspect(key)} is left out: " <>
                            "a function or a process in it cannot be written to a file")
    false
  end

  defp plain?([first | rest]), do: plain?(first) and plain?(rest)
  defp plain?(value) when is_tuple(value), do: value |> Tuple.to_list() |> plain?()
  defp plain?(value) when is_map(value), do: value |> Map.to_list() |> plain?()

  defp plain?(value),
    do: not (is_function(value) or is_pid(value) or is_port(value) or is_reference(value))

  @doc "Runs fermata, which prints for itself; ends mix with its status if that is not 0."
  def call(words) do
    program = System.find_executable("fermata") || Mix.raise("the program fermata is not on PATH")
    {_, status} = System.cmd(program, words, into: IO.stream(), stderr_to_stdout: true)
    if status != 0, do: exit({:shutdown, status})
  end
end
