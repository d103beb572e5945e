defmodule ElixirCounterFixed do
  def init, do: :ets.new(__MODULE__, [:named_table, :public])
  def inc(key), do: :ets.update_counter(__MODULE__, key, 1, {key, 0})
end
