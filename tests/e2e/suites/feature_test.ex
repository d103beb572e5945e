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
