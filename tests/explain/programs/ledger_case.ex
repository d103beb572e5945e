defmodule LedgerCase do
  use ExUnit.Case

  test "a payment is written" do
    {:ok, _} = Ledger.start_link()
    {:ok, 50} = Transfers.pay(:ann, :bob, 50)
    assert Ledger.entries() == [{:paid, :ann, :bob, 50}]
  end
end
