defmodule Tickets.Book do
  @moduledoc "The book of sales of a house: who has bought, in the order of the sales."
  use Agent

  def start_link(house) do
    Agent.start_link(fn -> %{house: house, sales: []} end, name: __MODULE__)
  end

  def house, do: Agent.get(__MODULE__, & &1.house)

  @doc "Enters a sale."
  def enter(event, buyer) do
    Agent.update(__MODULE__, fn book -> %{book | sales: [{event, buyer} | book.sales]} end)
  end

  @doc "The buyers of an event, the first one first."
  def buyers(event) do
    sales = Agent.get(__MODULE__, & &1.sales)
    for {^event, buyer} <- Enum.reverse(sales), do: buyer
  end
end
