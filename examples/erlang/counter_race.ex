# An Elixir GenServer race: a counter with get and put, incremented by two tasks.
#
# lost_update/0 is wrong: reading and writing back are two calls. atomic/0 lets the server do it.
# agent_race/0 is the same mistake with an Agent; agent_update/0 its fix.
#
# expect: CounterRace.lost_update => bug,abnormal-exit
# expect: CounterRace.atomic => proved
# expect: CounterRace.agent_race => bug,abnormal-exit
# expect: CounterRace.agent_update => proved
defmodule CounterRace do
  use GenServer

  def lost_update do
    {:ok, server} = GenServer.start(__MODULE__, 0)

    increment = fn ->
      n = GenServer.call(server, :get)
      GenServer.call(server, {:put, n + 1})
    end

    in_two_tasks(increment)
    2 = GenServer.call(server, :get)
  end

  def atomic do
    {:ok, server} = GenServer.start(__MODULE__, 0)
    in_two_tasks(fn -> GenServer.call(server, :increment) end)
    2 = GenServer.call(server, :get)
  end

  def agent_race do
    {:ok, agent} = Agent.start(fn -> 0 end)

    in_two_tasks(fn ->
      n = Agent.get(agent, & &1)
      Agent.update(agent, fn _ -> n + 1 end)
    end)

    2 = Agent.get(agent, & &1)
  end

  def agent_update do
    {:ok, agent} = Agent.start(fn -> 0 end)
    in_two_tasks(fn -> Agent.update(agent, &(&1 + 1)) end)
    2 = Agent.get(agent, & &1)
  end

  defp in_two_tasks(fun) do
    [Task.async(fun), Task.async(fun)] |> Task.await_many(:infinity)
  end

  @impl true
  def init(n), do: {:ok, n}

  @impl true
  def handle_call(:get, _from, n), do: {:reply, n, n}
  def handle_call({:put, n}, _from, _), do: {:reply, :ok, n}
  def handle_call(:increment, _from, n), do: {:reply, n + 1, n + 1}
end
