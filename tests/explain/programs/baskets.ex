defmodule Basket do
  use GenServer
  # A cart keeps its items in an Agent, and two checkouts read, then write.
  def start_link(agent), do: GenServer.start_link(__MODULE__, agent)
  def init(agent), do: {:ok, agent}

  def handle_call({:add, item}, _from, agent) do
    items = Agent.get(agent, & &1)
    Agent.update(agent, fn _ -> [item | items] end)
    {:reply, :ok, agent}
  end
end

defmodule Baskets do
  def test do
    {:ok, agent} = Agent.start_link(fn -> [] end)
    {:ok, web} = Basket.start_link(agent)
    {:ok, phone} = Basket.start_link(agent)
    one = Task.async(fn -> GenServer.call(web, {:add, :book}) end)
    two = Task.async(fn -> GenServer.call(phone, {:add, :pen}) end)
    Task.await(one)
    Task.await(two)
    [:book, :pen] = Enum.sort(Agent.get(agent, & &1))
    :ok
  end
end
