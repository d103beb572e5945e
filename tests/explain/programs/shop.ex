defmodule Shop.Stock do
  use GenServer
  def start_link(n), do: GenServer.start_link(__MODULE__, n, name: __MODULE__)
  def available, do: GenServer.call(__MODULE__, :available)
  def take(n), do: GenServer.call(__MODULE__, {:take, n})
  def init(n), do: {:ok, %{left: n, log: []}}
  def handle_call(:available, _from, s), do: {:reply, s.left, s}

  def handle_call({:take, n}, {pid, _}, %{left: left} = s) when n <= left,
    do: {:reply, :ok, %{s | left: left - n, log: [{pid, n} | s.log]}}
end

defmodule Shop do
  alias Shop.Stock

  # check then act on a GenServer; server crashes with FunctionClauseError
  def oversell do
    {:ok, _} = Stock.start_link(3)

    tasks =
      for _ <- 1..2 do
        Task.async(fn ->
          if Stock.available() >= 2, do: Stock.take(2), else: :sold_out
        end)
      end

    Enum.map(tasks, &Task.await/1)
  end

  # Agent read-modify-write
  def hits do
    {:ok, a} = Agent.start_link(fn -> %{"/" => 0} end)

    hit = fn path ->
      n = Agent.get(a, &Map.get(&1, path))
      Agent.update(a, &Map.put(&1, path, n + 1))
    end

    [Task.async(fn -> hit.("/") end), Task.async(fn -> hit.("/") end)] |> Task.await_many()
    2 = Agent.get(a, & &1["/"])
  end

  # monitor set up after the process may have ended
  def missed_down do
    pid = spawn(fn -> :ok end)
    Process.sleep(1)

    if Process.alive?(pid) do
      ref = Process.monitor(pid)

      receive do
        {:DOWN, ^ref, :process, ^pid, :normal} -> :ok
      end
    end
  end

  # Registry style: whereis then send
  def registry do
    parent = self()

    start = fn ->
      case Process.whereis(:cache) do
        nil ->
          pid = spawn(fn -> loop(parent) end)
          Process.register(pid, :cache)
          pid

        pid ->
          pid
      end
    end

    [a, b] = [Task.async(start), Task.async(start)] |> Task.await_many()
    send(:cache, :stop)
    true = a == b
  end

  defp loop(parent) do
    receive do
      :stop -> send(parent, :stopped)
    end
  end

  # late reply after a timeout is taken for the next reply
  def late do
    parent = self()
    server = spawn(fn -> serve() end)
    send(server, {:get, parent, 1})

    first =
      receive do
        {:reply, v} -> v
      after
        5 -> :timeout
      end

    send(server, {:get, parent, 2})

    receive do
      {:reply, 2} -> {first, :ok}
    after
      5 -> :timeout
    end
    |> case do
      {1, :ok} -> :ok
      {:timeout, _} = x -> raise "lost: #{inspect(x)}"
      :timeout -> :ok
    end
  end

  defp serve do
    receive do
      {:get, from, n} ->
        send(from, {:reply, n})
        serve()
    end
  end

  # a Task that crashes brings down its caller
  def task_crash do
    :ets.new(:cfg, [:named_table, :public])
    spawn(fn -> :ets.insert(:cfg, {:url, "http://x"}) end)
    t = Task.async(fn -> [{:url, u}] = :ets.lookup(:cfg, :url); String.length(u) end)
    Task.await(t)
  end

  # selective receive in a loop waits for a message that was dropped
  def collect do
    me = self()
    for i <- 1..2, do: spawn(fn -> send(me, {:part, i}) end)
    gather([1, 2])
  end

  defp gather([]), do: :done

  defp gather([i | rest]) do
    receive do
      {:part, ^i} -> gather(rest)
      {:part, _other} -> gather([i | rest])
    end
  end
end
