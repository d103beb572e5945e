# An ExUnit case, explored from its compiled beams: two tests of the counter of counter_race.ex.
# The first has a race, the second has none; `setup` is run once and not explored.
#
# expect: CounterCase.exunit => bug,assertion
ExUnit.start(autorun: false)

defmodule CounterCase do
  use ExUnit.Case

  setup do
    {:ok, server} = GenServer.start(CounterRace, 0)
    %{server: server}
  end

  test "two increments in two calls each", %{server: server} do
    in_two_tasks(fn ->
      n = GenServer.call(server, :get)
      GenServer.call(server, {:put, n + 1})
    end)

    assert GenServer.call(server, :get) == 2
  end

  test "two increments in one call each", %{server: server} do
    in_two_tasks(fn -> GenServer.call(server, :increment) end)
    assert GenServer.call(server, :get) == 2
  end

  defp in_two_tasks(fun) do
    [Task.async(fun), Task.async(fun)] |> Task.await_many(:infinity)
  end
end
