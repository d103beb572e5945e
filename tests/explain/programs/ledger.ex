# The entry is written by a task for which nobody waits.
defmodule Ledger do
  use GenServer

  def start_link, do: GenServer.start_link(__MODULE__, [], name: __MODULE__)
  def write(entry), do: GenServer.cast(__MODULE__, {:write, entry})
  def entries, do: GenServer.call(__MODULE__, :entries)
  def init(entries), do: {:ok, entries}
  def handle_cast({:write, entry}, entries), do: {:noreply, [entry | entries]}
  def handle_call(:entries, _from, entries), do: {:reply, entries, entries}
end

defmodule Transfers do
  def pay(from, to, amount) do
    Task.async(fn -> Ledger.write({:paid, from, to, amount}) end)
    {:ok, amount}
  end

  def logged do
    {:ok, _} = Ledger.start_link()
    {:ok, 50} = pay(:ann, :bob, 50)
    [{:paid, :ann, :bob, 50}] = Ledger.entries()
  end
end
