defmodule Tickets.Event do
  @moduledoc """
  The tickets of one event. If all tickets are sold, buyers can wait: a ticket that comes back goes to
  the one who has waited longest.
  """
  use GenServer
  require Logger

  def start_link({name, count}) do
    GenServer.start_link(__MODULE__, {name, count}, name: via(name))
  end

  @doc "How many tickets are left."
  def left(event), do: GenServer.call(via(event), :left)

  @doc "Sells one: `:ok` or `:sold_out`."
  def buy(event, buyer) do
    if left(event) > 0 do
      GenServer.call(via(event), {:sell, buyer})
    else
      :sold_out
    end
  end

  @doc "Brings one back."
  def give_back(event), do: GenServer.call(via(event), :give_back)

  @doc "Sends `{:ticket, event}` to this process as soon as it has a ticket."
  def wait_for(event, buyer), do: GenServer.call(via(event), {:wait, buyer, self()})

  defp via(event), do: {:via, Registry, {Tickets.Registry, event}}

  @impl true
  def init({name, count}), do: {:ok, %{name: name, left: count, waiting: :queue.new()}}

  @impl true
  def handle_call(:left, _from, state), do: {:reply, state.left, state}

  def handle_call({:sell, buyer}, _from, state) do
    {:reply, :ok, sell(state, buyer)}
  end

  def handle_call(:give_back, _from, state) do
    {:reply, :ok, serve(%{state | left: state.left + 1})}
  end

  def handle_call({:wait, buyer, pid}, _from, state) do
    {:reply, :ok, serve(%{state | waiting: :queue.in({buyer, pid}, state.waiting)})}
  end

  # Tickets go to those who wait, as long as there are both.
  defp serve(%{left: 0} = state), do: state

  defp serve(state) do
    case :queue.out(state.waiting) do
      {:empty, _} ->
        state

      {{:value, {buyer, pid}}, waiting} ->
        send(pid, {:ticket, state.name})
        serve(sell(%{state | waiting: waiting}, buyer))
    end
  end

  defp sell(state, buyer) do
    Tickets.Book.enter(state.name, buyer)
    if state.left == 1, do: Logger.info("#{state.name} is sold out")
    %{state | left: state.left - 1}
  end
end
