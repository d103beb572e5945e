defmodule TicketsTest do
  use ExUnit.Case

  setup do
    start_supervised!({Tickets, 1})
    :ok
  end

  test "the last ticket is sold once" do
    answers = [fn -> Tickets.buy() end, fn -> Tickets.buy() end] |> Enum.map(&Task.async/1)

    assert Enum.sort(Task.await_many(answers)) == [:ok, :sold_out]
  end

  test "tickets come back" do
    [fn -> Tickets.give_back() end, fn -> Tickets.give_back() end]
    |> Enum.map(&Task.async/1)
    |> Task.await_many()

    assert Tickets.left() == 3
  end
end
