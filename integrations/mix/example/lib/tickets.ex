defmodule Tickets do
  @moduledoc "Sells tickets, as long as there are some."
  use GenServer

  def start_link(count), do: GenServer.start_link(__MODULE__, count, name: __MODULE__)

  @doc "How many are left."
  def left, do: GenServer.call(__MODULE__, :left)

  @doc "Sells one: `:ok` or `:sold_out`."
  def buy do
    if left() > 0 do
      GenServer.call(__MODULE__, :sell)
    else
      :sold_out
    end
  end

  @doc "Brings one back."
  def give_back, do: GenServer.call(__MODULE__, :give_back)

  @impl true
  def init(count), do: {:ok, count}

  @impl true
  def handle_call(:left, _from, count), do: {:reply, count, count}
  def handle_call(:sell, _from, count), do: {:reply, :ok, count - 1}
  def handle_call(:give_back, _from, count), do: {:reply, :ok, count + 1}
end
