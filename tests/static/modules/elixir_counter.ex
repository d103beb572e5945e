# A counter in a public table, in Elixir.
defmodule ElixirCounter do
  def init, do: :ets.new(__MODULE__, [:named_table, :public])

  def inc(key) do
    case :ets.lookup(__MODULE__, key) do        # read: a
      [] -> :ets.insert(__MODULE__, {key, 1})   # write: a
      [{_, n}] -> :ets.insert(__MODULE__, {key, n + 1})  # write: a
    end
  end
end
