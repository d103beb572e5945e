# The parts of ExUnit cases; all tests of the first one pass, and one is skipped. In another the tests
# do not return, and one cannot be set up.
ExUnit.start(autorun: false)

defmodule FeatureServer do
  use GenServer
  def start_link(n), do: GenServer.start_link(__MODULE__, n, name: __MODULE__)
  def init(n), do: {:ok, n}
  def handle_call(:get, _, n), do: {:reply, n, n}
  def handle_cast(:inc, n), do: {:noreply, n + 1}
end

defmodule FeatureTest do
  use ExUnit.Case, async: true
  import ExUnit.CaptureIO

  setup_all do
    {:ok, shared: :yes}
  end

  describe "supervised" do
    setup [:start]

    test "counts", %{shared: :yes, pid: pid} do
      GenServer.cast(pid, :inc)
      assert GenServer.call(FeatureServer, :get) == 1
    end

    @tag :skip
    test "skipped" do
      flunk("no")
    end

    @tag number: 7
    test "tagged", context do
      assert context.number == 7
      assert context.describe == "supervised"
    end
  end

  test "on_exit and start_supervised" do
    on_exit(fn -> :ok end)
    pid = start_supervised!({FeatureServer, 3})
    assert GenServer.call(pid, :get) == 3
  end

  test "capture_io" do
    assert capture_io(fn -> IO.puts("hello") end) == "hello\n"
  end

  @tag speed: :slow
  test "assert_receive" do
    me = self()
    spawn(fn -> send(me, {:hello, 1}) end)
    assert_receive {:hello, 1}, 500
  end

  test "assert_raise and refute" do
    assert_raise ArithmeticError, fn -> raise ArithmeticError end
    refute_received :nothing
  end

  defp start(_) do
    {:ok, pid} = start_supervised({FeatureServer, 0})
    %{pid: pid}
  end
end

# Mocks as Mox makes them: a module that is made at run time for a behaviour, whose functions ask a
# server what the owner (the test, also for the processes that it starts) has told it to answer.
defmodule FeatureMocks do
  use GenServer
  def start_link(_), do: GenServer.start_link(__MODULE__, %{}, name: __MODULE__)
  def init(state), do: {:ok, state}

  def defmock(name, behaviour) do
    functions =
      for {function, arity} <- behaviour.behaviour_info(:callbacks) do
        args = Macro.generate_arguments(arity, __MODULE__)

        quote do
          def unquote(function)(unquote_splicing(args)),
            do: FeatureMocks.answer(__MODULE__, unquote(function), unquote(args))
        end
      end

    Module.create(name, functions, Macro.Env.location(__ENV__))
  end

  def expect(mock, function, count, answer),
    do: GenServer.call(__MODULE__, {:expect, self(), {mock, function}, List.duplicate(answer, count)})

  def answer(mock, function, args) do
    owners = [self() | Process.get(:"$callers", [])]

    case GenServer.call(__MODULE__, {:take, owners, {mock, function}}) do
      {:ok, answer} -> apply(answer, args)
      :error -> raise "no expectation is left for #{function}"
    end
  end

  def verify!, do: %{} = GenServer.call(__MODULE__, {:left, self()})

  def handle_call({:expect, owner, what, answers}, _, state),
    do: {:reply, :ok, Map.update(state, {owner, what}, answers, &(&1 ++ answers))}

  def handle_call({:take, owners, what}, _, state) do
    case Enum.find(owners, &match?([_ | _], state[{&1, what}])) do
      nil -> {:reply, :error, state}
      owner ->
        [first | rest] = state[{owner, what}]
        {:reply, {:ok, first}, Map.put(state, {owner, what}, rest)}
    end
  end

  def handle_call({:left, owner}, _, state),
    do: {:reply, for({{^owner, what}, [_ | _] = left} <- state, into: %{}, do: {what, left}), state}
end

defmodule FeatureWeather do
  @callback degrees(String.t()) :: integer
end

defmodule MockCase do
  use ExUnit.Case
  @compile {:no_warn_undefined, WeatherMock}

  setup do
    start_supervised!(FeatureMocks)
    unless Code.ensure_loaded?(WeatherMock), do: FeatureMocks.defmock(WeatherMock, FeatureWeather)
    :ok
  end

  test "a task has the expectations of its test" do
    FeatureMocks.expect(WeatherMock, :degrees, 2, fn "Bern" -> 20 end)
    tasks = for _ <- 1..2, do: Task.async(fn -> WeatherMock.degrees("Bern") end)
    assert Enum.map(tasks, &Task.await/1) == [20, 20]
    assert FeatureMocks.verify!() == %{}
  end

  test "the second call takes what the first expected" do
    FeatureMocks.expect(WeatherMock, :degrees, 1, fn _ -> 1 end)
    FeatureMocks.expect(WeatherMock, :degrees, 1, fn _ -> 2 end)
    tasks = for city <- ["Bern", "Rom"], do: Task.async(fn -> WeatherMock.degrees(city) end)
    assert Enum.map(tasks, &Task.await/1) == [1, 2]
  end
end

# Needs Elixir's logger.
defmodule LogCase do
  use ExUnit.Case
  require Logger

  test "capture_log" do
    assert ExUnit.CaptureLog.capture_log(fn -> Logger.error("lost a message") end) =~ "lost a"
  end
end

# Only the last test returns.
defmodule LeavingCase do
  use ExUnit.Case
  test "normal", do: exit(:normal)
  test "shutdown", do: exit(:shutdown)
  test "halt", do: System.halt(0)

  test "linked" do
    spawn_link(fn -> exit({:shutdown, :why}) end)
    Process.sleep(:infinity)
  end

  test "fine" do
    assert {_, _} = spawn_monitor(fn -> exit(:shutdown) end)
  end
end

defmodule BrokenCase do
  use ExUnit.Case
  setup do
    raise "no database"
  end
  test "never" do
    assert true
  end
end
