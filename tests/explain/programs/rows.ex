defmodule Rows do
  use GenServer
  # The server waits for a task of its own in a call with the default timeout.
  def init(_), do: {:ok, 0}

  def handle_call(:report, _from, state) do
    task = Task.async(fn -> GenServer.call(Rows, :rows) end)
    {:reply, Task.await(task), state}
  end

  def handle_call(:rows, _from, state), do: {:reply, [1, 2], state}

  def test do
    {:ok, _} = GenServer.start_link(__MODULE__, [], name: __MODULE__)
    [1, 2] = GenServer.call(__MODULE__, :report)
    :ok
  end
end
