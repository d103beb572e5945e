# A fun that Enum.each runs.
defmodule ElixirEach do
  def init, do: :ets.new(:each_table, [:named_table, :public])

  def bump(keys) do
    Enum.each(keys, fn k ->
      [{_, n}] = :ets.lookup(:each_table, k)    # read: a
      :ets.insert(:each_table, {k, n + 1})      # write: a
    end)
  end
end
