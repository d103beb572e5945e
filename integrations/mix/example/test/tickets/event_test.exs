defmodule Tickets.EventTest do
  use ExUnit.Case
  alias Tickets.{Book, Event}

  # Each test has an event of its own.
  setup %{test: test} do
    event = Atom.to_string(test)
    start_supervised!({Event, {event, 1}})
    %{event: event}
  end

  defp together(functions), do: functions |> Enum.map(&Task.async/1) |> Task.await_many()

  describe "the last ticket" do
    test "is sold once", %{event: event} do
      answers = together([fn -> Event.buy(event, "Ann") end, fn -> Event.buy(event, "Bob") end])
      assert Enum.sort(answers) == [:ok, :sold_out]
    end

    test "is in the book", %{event: event} do
      assert Event.buy(event, "Ann") == :ok
      assert Book.buyers(event) == ["Ann"]
      assert Event.left(event) == 0
    end
  end

  test "tickets come back", %{event: event} do
    together([fn -> Event.give_back(event) end, fn -> Event.give_back(event) end])
    assert Event.left(event) == 3
  end
end
