defmodule Tickets.WaitingTest do
  use ExUnit.Case
  alias Tickets.{Book, Event}

  setup do
    start_supervised!({Event, {"opera", 0}})
    :ok
  end

  @tag :slow
  test "who waits gets the ticket that comes back" do
    Event.wait_for("opera", "Ann")
    giver = Task.async(fn -> Event.give_back("opera") end)
    assert_receive {:ticket, "opera"}, 5000
    Task.await(giver)
    assert Book.buyers("opera") == ["Ann"]
  end

  test "a house has a name" do
    assert Book.house() == "Small stage"
  end
end
