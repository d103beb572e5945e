defmodule Jobs.Job do
  use GenServer, restart: :temporary
  def start_link(n), do: GenServer.start_link(__MODULE__, n, name: :"job#{n}")
  def init(n), do: {:ok, n}
  def handle_cast(:run, n), do: {:stop, :normal, n}
end

defmodule Jobs do
  # At most one job at a time: count_children, then start_child.
  def submit(n) do
    if DynamicSupervisor.count_children(Jobs.All).active < 1 do
      DynamicSupervisor.start_child(Jobs.All, {Jobs.Job, n})
    else
      :busy
    end
  end

  def test do
    {:ok, _} = DynamicSupervisor.start_link(strategy: :one_for_one, name: Jobs.All)
    tasks = for n <- 1..2, do: Task.async(fn -> submit(n) end)
    Enum.each(tasks, &Task.await/1)
    1 = DynamicSupervisor.count_children(Jobs.All).active
    :ok
  end
end
