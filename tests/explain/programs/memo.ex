defmodule Memo do
  use Agent
  def start, do: Agent.start_link(fn -> %{} end, name: __MODULE__)
  def fetch(key, fun) do
    case Agent.get(__MODULE__, &Map.get(&1, key)) do
      nil ->
        value = fun.()
        Agent.update(__MODULE__, &Map.put(&1, key, value))
        value
      value -> value
    end
  end
  def test do
    {:ok, _} = start()
    {:ok, calls} = Agent.start_link(fn -> 0 end)
    work = fn -> Agent.get_and_update(calls, &{&1 + 1, &1 + 1}) end
    tasks = for _ <- 1..2, do: Task.async(fn -> fetch(:a, work) end)
    Enum.each(tasks, &Task.await/1)
    1 = Agent.get(calls, & &1)
  end
end
