# ExUnit promises a test its name in the context, and an end that takes linked processes along.
#
# expect: CaseContext.exunit => proved
ExUnit.start(autorun: false)

defmodule CaseContext do
  use ExUnit.Case

  setup context do
    {:ok, _} = Agent.start_link(fn -> 1 end, name: context.test)
    :ok
  end

  test "is named", %{test: name} do
    assert Agent.get(name, & &1) == 1
  end

  test "leaves nobody behind" do
    spawn_link(fn -> Process.sleep(:infinity) end)
  end
end
