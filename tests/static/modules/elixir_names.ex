# Names through Elixir's own module.
defmodule ElixirNames do
  def claim(name) do
    case Process.whereis(name) do               # read: a
      nil -> Process.register(self(), name)     # write: a
      pid -> pid
    end
  end

  def bump do
    n = Application.get_env(:my_app, :n)        # read: b
    Application.put_env(:my_app, :n, n + 1)     # write: b
  end
end
