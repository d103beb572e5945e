defmodule Chat.Room do
  use GenServer
  def start_link(name), do: GenServer.start_link(__MODULE__, name, name: {:via, Registry, {Chat.Rooms, name}})
  def init(name), do: {:ok, name}
  def handle_call(:close, _from, name), do: {:stop, :normal, :ok, name}
  def handle_call({:say, text}, _from, name), do: {:reply, {name, text}, name}
end

defmodule Chat do
  # say/2 looks the room up, then calls it: the room may close in between.
  def say(name, text) do
    case Registry.lookup(Chat.Rooms, name) do
      [{pid, _}] -> GenServer.call(pid, {:say, text})
      [] -> :nobody
    end
  end

  def test do
    {:ok, _} = Registry.start_link(keys: :unique, name: Chat.Rooms)
    {:ok, room} = Chat.Room.start_link("lobby")
    guest = Task.async(fn -> say("lobby", "hi") end)
    :ok = GenServer.call(room, :close)
    true = Task.await(guest) in [{"lobby", "hi"}, :nobody]
    :ok
  end
end
