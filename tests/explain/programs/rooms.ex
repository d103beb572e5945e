# Registry.lookup, then start: two callers may both find nothing.
defmodule Rooms do
  use GenServer

  def start_link(name), do: GenServer.start_link(__MODULE__, name, name: via(name))
  def init(name), do: {:ok, name}
  def handle_call(:name, _from, name), do: {:reply, name, name}

  def enter(name) do
    if Registry.lookup(Rooms.Names, name) == [], do: {:ok, _} = start_link(name)
    GenServer.call(via(name), :name)
  end

  defp via(name), do: {:via, Registry, {Rooms.Names, name}}

  def two_guests do
    {:ok, _} = Registry.start_link(keys: :unique, name: Rooms.Names)
    1..2 |> Enum.map(fn _ -> Task.async(fn -> enter("kitchen") end) end) |> Task.await_many()
  end
end

# The work takes as long as the caller waits for it.
defmodule SameTime do
  def yield do
    task =
      Task.async(fn ->
        Process.sleep(100)
        :done
      end)

    {:ok, :done} = Task.yield(task, 100)
  end
end
