defmodule Tickets.Application do
  @moduledoc "Starts what all events share: the names of the events, and the book of sales."
  use Application

  @impl true
  def start(_type, _args) do
    children = [
      {Registry, keys: :unique, name: Tickets.Registry},
      {Tickets.Book, Application.fetch_env!(:tickets, :house)}
    ]

    Supervisor.start_link(children, strategy: :one_for_one, name: Tickets.Supervisor)
  end
end
