defmodule Waits do
  def wait(:fast) do
    receive do
      {:fast, x} -> x
    end
  end

  def wait(:slow) do
    x = 1

    receive do
      {:slow, ^x, %{a: y}} when is_integer(y) and y > 0 ->
        y
    end
  end

  def in_fun do
    me = self()

    pid =
      spawn(fn ->
        send(me, :ready)

        receive do
          {:go, from} ->
            send(from, :gone)
        end
      end)

    receive do
      :ready -> :ok
    end

    spawn(fn -> Process.exit(pid, :kill) end)
    send(pid, {:go, me})

    receive do
      :gone -> :ok
    end
  end

  def clauses do
    me = self()
    spawn(fn -> send(me, {:fast, 1}) end)
    spawn(fn -> send(me, {:slow, 2, %{a: 1}}) end)

    case (receive do
            m -> m
          end) do
      {:fast, _} -> :ok
      {:slow, _, _} -> wait(:slow)
    end
  end
end
