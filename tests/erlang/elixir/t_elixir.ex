# Elixir on the stock .beam files: every function of arity 0 is one test.
defmodule TElixir.Counter do
  use GenServer

  def start_link(n), do: GenServer.start_link(__MODULE__, n)
  def increment(pid, by), do: GenServer.call(pid, {:increment, by})
  def reset(pid), do: GenServer.cast(pid, :reset)

  @impl true
  def init(n), do: {:ok, n}
  @impl true
  def handle_call({:increment, by}, _from, n), do: {:reply, n + by, n + by}
  def handle_call(:get, _from, n), do: {:reply, n, n}
  @impl true
  def handle_cast(:reset, _n), do: {:noreply, 0}
  @impl true
  def handle_info(message, n) do
    send(Process.get(:observer, self()), {:seen, message})
    {:noreply, n + 1}
  end
end

defmodule TElixir.Shape do
  defstruct kind: :square, size: 1, tags: []
end

defprotocol TElixir.Area do
  def area(shape)
end

defimpl TElixir.Area, for: TElixir.Shape do
  def area(%{kind: :square, size: s}), do: s * s
  def area(%{size: s}), do: {:unknown, s}
end

defimpl TElixir.Area, for: Integer do
  def area(n), do: n
end

defmodule TElixir.Problem do
  defexception [:message, code: 1]
end

defmodule TElixir do
  alias TElixir.{Area, Counter, Problem, Shape}

  def gen_server do
    {:ok, pid} = Counter.start_link(10)
    a = Counter.increment(pid, 5)
    :ok = Counter.reset(pid)
    b = Counter.increment(pid, 1)
    send(pid, :anything)
    c = GenServer.call(pid, :get)
    :ok = GenServer.stop(pid)
    {a, b, c, Process.alive?(pid)}
  end

  def gen_server_timeout do
    {:ok, pid} = Agent.start_link(fn -> 0 end)
    catch_exit(fn -> Agent.get(pid, fn _ -> Process.sleep(200) end, 5) end)
  end

  defp catch_exit(fun) do
    try do
      fun.()
    catch
      :exit, {reason, _} -> {:exit, reason}
    end
  end

  def agent do
    {:ok, pid} = Agent.start_link(fn -> %{} end)
    Agent.update(pid, &Map.put(&1, :a, 1))
    old = Agent.get_and_update(pid, fn map -> {map, Map.put(map, :b, 2)} end)
    result = {old, Agent.get(pid, & &1)}
    Agent.stop(pid)
    result
  end

  def task_await, do: Task.await(Task.async(fn -> Enum.sum(1..100) end))
  def task_many, do: 1..10 |> Enum.map(&Task.async(fn -> &1 * &1 end)) |> Enum.map(&Task.await/1)
  def task_await_many, do: Task.await_many(for i <- 1..5, do: Task.async(fn -> i + 1 end))

  def task_stream do
    1..6 |> Task.async_stream(fn x -> x * 2 end, max_concurrency: 2) |> Enum.to_list()
  end

  def task_yield do
    task = Task.async(fn -> Process.sleep(:infinity) end)
    {Task.yield(task, 2), Task.shutdown(task, :brutal_kill)}
  end

  def supervisor do
    children = [%{id: :c, start: {Counter, :start_link, [1]}}]
    {:ok, sup} = Supervisor.start_link(children, strategy: :one_for_one)
    [{:c, pid, :worker, _}] = Supervisor.which_children(sup)
    ref = Process.monitor(pid)
    Process.exit(pid, :kill)
    receive do: ({:DOWN, ^ref, _, _, reason} -> reason)
    counts = Supervisor.count_children(sup)
    Supervisor.stop(sup)
    counts
  end

  def dynamic_supervisor do
    {:ok, sup} = DynamicSupervisor.start_link(strategy: :one_for_one)
    {:ok, pid} = DynamicSupervisor.start_child(sup, {Agent, fn -> 7 end})
    {Agent.get(pid, & &1), DynamicSupervisor.count_children(sup)}
  end

  def registry do
    {:ok, _} = Registry.start_link(keys: :unique, name: TElixir.Reg)
    {:ok, _} = Registry.register(TElixir.Reg, "key", :value)
    [{pid, value}] = Registry.lookup(TElixir.Reg, "key")
    {pid == self(), value, Registry.keys(TElixir.Reg, self()), Registry.lookup(TElixir.Reg, "no")}
  end

  def enum_basic do
    list = [3, 1, 2]

    {Enum.map(list, &(&1 * 2)), Enum.filter(list, &(&1 > 1)), Enum.reduce(list, 0, &+/2),
     Enum.sort(list), Enum.sort(list, :desc), Enum.sort_by(list, &(-&1)), Enum.reverse(list),
     Enum.sum(list), Enum.max(list), Enum.min_by(list, &(-&1)), Enum.count(list, &(&1 > 1))}
  end

  def enum_more do
    {Enum.chunk_every(1..7, 3), Enum.zip([1, 2], [:a, :b]), Enum.group_by(1..6, &rem(&1, 3)),
     Enum.frequencies(~w(a b a)), Enum.uniq([1, 1.0, 1]), Enum.with_index([:a, :b]),
     Enum.split_with(1..5, &(&1 > 3)), Enum.flat_map([1, 2], &[&1, &1]),
     Enum.take_while(1..9, &(&1 < 4)), Enum.find([1, 2, 3], &(&1 > 1)), Enum.at([1, 2], -1),
     Enum.into([a: 1], %{}), Enum.dedup([1, 1, 2, 1]), Enum.intersperse([1, 2], 0),
     Enum.join([1, "b", :c], "-"), Enum.slice(1..10, 2..4), Enum.scan(1..4, &+/2),
     Enum.map_reduce([1, 2], 0, &{&1 * 2, &1 + &2}), Enum.zip_with([1, 2], [3, 4], &+/2)}
  end

  def stream do
    {Stream.iterate(1, &(&1 * 2)) |> Enum.take(8),
     Stream.cycle([1, 2]) |> Stream.map(&(&1 + 1)) |> Enum.take(5),
     Stream.unfold(5, fn
       0 -> nil
       n -> {n, n - 1}
     end)
     |> Enum.to_list(),
     1..20 |> Stream.filter(&(rem(&1, 2) == 0)) |> Stream.chunk_every(3) |> Enum.to_list(),
     Stream.resource(
       fn -> 3 end,
       fn
         0 -> {:halt, 0}
         n -> {[n], n - 1}
       end,
       & &1
     )
     |> Enum.to_list(), Stream.zip(1..3, [:a, :b, :c]) |> Enum.to_list()}
  end

  def maps do
    map = %{a: 1, b: 2}

    {Map.put(map, :c, 3), Map.get(map, :z, :none), %{map | a: 9}, Map.merge(map, %{b: 5}),
     Map.update(map, :a, 0, &(&1 + 1)), Map.keys(map), Map.pop(map, :a),
     Map.new([1, 2], &{&1, &1}), get_in(%{x: %{y: 1}}, [:x, :y]),
     put_in(%{x: %{y: 1}}, [:x, :y], 2), update_in(%{x: 1}, [:x], &(&1 + 1)),
     Map.split(map, [:a]), Map.filter(map, fn {_, v} -> v > 1 end)}
  end

  def map_errors do
    [
      try do
        Map.fetch!(%{}, :a)
      rescue
        e in KeyError -> {e.key, Exception.message(e)}
      end,
      try do
        %{}.missing
      rescue
        e -> Exception.message(e)
      end
    ]
  end

  def strings do
    {String.upcase("héllo"), String.length("héllo"), byte_size("héllo"), String.split("a b  c"),
     String.split("a,b", ","), String.reverse("abc"), String.replace("aXb", "X", "-"),
     String.slice("hello", 1..3), String.trim("  x "), String.pad_leading("7", 3, "0"),
     String.contains?("hello", "ell"), String.starts_with?("hello", "he"), String.at("hello", 1),
     String.graphemes("né"), String.codepoints("né"), String.to_integer("42"),
     String.to_atom("x"), String.capitalize("word"), String.duplicate("ab", 2),
     String.jaro_distance("abc", "abd") > 0.5, "a" <> "b", "x#{1 + 1}y", String.downcase("ÀB"),
     String.valid?(<<255>>), String.first("é")}
  end

  def interpolation do
    name = "world"
    {"hello #{name}", "#{:atom} #{1.5} #{[?a, ?b]}", ~s(quoted "#{name}"), ~w(a b c)a, 'charlist'}
  end

  def inspecting do
    {inspect(%{a: [1, 2], b: {:c, "d"}}), inspect([1, 2, 3]), inspect("é\n"),
     inspect(:"quoted atom"), inspect(nil), inspect(1.0), inspect(%Shape{}), inspect(~r/a+/),
     inspect(a: 1), inspect(1..5), inspect('abc'), inspect(<<1, 2>>), inspect(MapSet.new([1, 2])),
     inspect(&String.length/1)}
  end

  def pattern_matching do
    classify = fn
      %{type: :a, v: v} when v > 5 -> {:big, v}
      %{type: t} -> t
      [h | _] -> h
      "pre" <> rest -> rest
      <<a::4, b::4>> -> {a, b}
      {x, x} -> {:same, x}
      _ -> :other
    end

    Enum.map([%{type: :a, v: 9}, %{type: :b}, [1], "prefix", <<0x12>>, {1, 1}, {1, 2}], classify)
  end

  def with_expression do
    run = fn input ->
      with {:ok, a} <- Map.fetch(input, :a),
           true <- a > 1,
           b when is_integer(b) <- a * 2 do
        {:ok, b}
      else
        :error -> :missing
        false -> :small
      end
    end

    Enum.map([%{a: 5}, %{}, %{a: 1}], run)
  end

  def comprehensions do
    {for(x <- 1..3, y <- [:a, :b], do: {x, y}), for(x <- 1..6, rem(x, 2) == 0, do: x),
     for({k, v} <- %{a: 1}, into: %{}, do: {v, k}), for(<<c <- "abc">>, do: c + 1),
     for(x <- [1, 2, 3], reduce: 0, do: (acc -> acc + x)), for(x <- [1, 1, 2], uniq: true, do: x)}
  end

  def structs do
    s = %Shape{size: 3}

    {s.size, %{s | size: 4}.size, s.__struct__, Map.from_struct(s), match?(%Shape{}, s),
     struct(Shape, size: 9).size}
  end

  def protocols do
    {Area.area(%Shape{size: 3}), Area.area(%Shape{kind: :blob}), Area.area(7),
     try do
       Area.area("x")
     rescue
       e in Protocol.UndefinedError -> e.protocol
     end}
  end

  def exceptions do
    [
      try do
        raise "text"
      rescue
        e in RuntimeError -> e.message
      end,
      try do
        raise Problem, message: "m", code: 5
      rescue
        e in Problem -> {e.message, e.code}
      end,
      try do
        raise ArgumentError
      rescue
        e -> Exception.message(e)
      end,
      try do
        throw(:ball)
      catch
        x -> {:caught, x}
      end,
      try do
        exit(:bye)
      catch
        :exit, r -> {:exit, r}
      end,
      try do
        1 / (System.pid() |> String.length() |> Kernel.*(0))
      rescue
        ArithmeticError -> :arith
      end,
      try do
        String.to_integer("x")
      rescue
        ArgumentError -> :arg
      after
        :ignored
      end,
      try do
        List.first(:not_a_list)
      rescue
        e -> e.__struct__
      end,
      try do
        Enum.fetch!([], 1)
      rescue
        e -> Exception.message(e)
      end
    ]
  end

  def processes do
    parent = self()

    pid =
      spawn(fn ->
        receive do
          {:ping, from} -> send(from, {:pong, self() == from})
        end
      end)

    send(pid, {:ping, parent})

    receive do
      {:pong, same} -> {same, Process.alive?(parent)}
    after
      1000 -> :timeout
    end
  end

  def process_exit do
    Process.flag(:trap_exit, true)
    pid = spawn_link(fn -> exit(:custom) end)

    receive do
      {:EXIT, ^pid, reason} -> reason
    end
  end

  def send_after do
    Process.send_after(self(), :tick, 2)
    receive do: (m -> m)
  end

  def keyword do
    kw = [a: 1, b: 2, a: 3]

    {Keyword.get(kw, :a), Keyword.get_values(kw, :a), Keyword.put(kw, :a, 9),
     Keyword.merge(kw, b: 5), kw[:b], Keyword.pop(kw, :a), Keyword.has_key?(kw, :z),
     Keyword.keyword?([1])}
  end

  def lists do
    {List.flatten([1, [2, [3]]]), List.insert_at([1, 2], 1, :x), List.delete([1, 2, 1], 1),
     List.last([1, 2]), List.zip([[1, 2], [3, 4]]), List.foldl([1, 2], 0, &-/2),
     List.to_tuple([1, 2]), [1, 2] ++ [3], [1, 2, 3] -- [2],
     List.update_at([1, 2], 0, &(&1 * 10)), List.duplicate(:a, 2), List.wrap(nil), hd([1]),
     tl([1, 2])}
  end

  def sets do
    a = MapSet.new([1, 2, 3])
    b = MapSet.new([3, 4])

    {MapSet.union(a, b) |> Enum.sort(), MapSet.intersection(a, b) |> Enum.sort(),
     MapSet.member?(a, 2), MapSet.size(a)}
  end

  def ranges,
    do:
      {Enum.to_list(1..10//3), Enum.to_list(5..1//-2), 3 in 1..5, Enum.count(1..100),
       Enum.to_list(3..1)}

  def integers,
    do:
      {Integer.digits(1234), Integer.to_string(255, 16), Integer.gcd(12, 18), Integer.pow(2, 70),
       div(-7, 2), rem(-7, 2), Integer.mod(-7, 2), Integer.parse("12x")}

  def floats,
    do:
      {Float.round(3.14159, 2), Float.ceil(1.2), Float.to_string(0.1), trunc(2.9),
       Float.parse("1.5x"), Float.ratio(0.75)}

  def bits,
    do:
      {Bitwise.band(12, 10), Bitwise.bor(12, 10), Bitwise.bxor(12, 10), Bitwise.bsl(1, 70),
       <<1::size(3), 2::5>>, Base.encode16("ab"), Base.decode64!("aGk=")}

  def regex,
    do:
      {Regex.run(~r/(\d+)-(\d+)/, "10-20"), Regex.scan(~r/[a-z]/, "a1b2"),
       Regex.replace(~r/o/, "foo", "0"), "abc" =~ ~r/B/i,
       Regex.named_captures(~r/(?<y>\d+)/, "in 2024"), String.split("a1b2", ~r/\d/)}

  # The fields are sorted, because the order of a map's atoms is that in which the node made them.
  def dates,
    do:
      {fields(Date.add(~D[2024-02-28], 2)), Date.diff(~D[2024-03-01], ~D[2024-02-01]),
       Date.day_of_week(~D[2024-01-01]), fields(DateTime.from_unix!(0)),
       fields(Time.add(~T[23:59:00], 120)),
       NaiveDateTime.compare(~N[2024-01-01 00:00:00], ~N[2024-01-01 00:00:01]),
       Date.to_iso8601(~D[2024-12-25])}

  defp fields(struct), do: Enum.sort(Map.to_list(struct))

  def io_output do
    IO.puts("line #{1}")
    IO.inspect(%{a: 1}, label: "map")
    IO.write(["io", ?l, "ist\n"])
    :done
  end

  def ets_usage do
    table = :ets.new(:t, [:set])
    :ets.insert(table, [{:a, 1}, {:b, 2}])
    {:ets.lookup(table, :a), :ets.info(table, :size)}
  end

  def pipes_and_captures,
    do: [1, 2, 3] |> Enum.map(&(&1 + 1)) |> then(&Enum.sum/1) |> tap(fn _ -> :ok end)

  def access,
    do:
      {[a: [b: 1]][:a][:b], get_in([%{n: 1}, %{n: 2}], [Access.all(), :n]),
       get_in(%{l: [1, 2]}, [:l, Access.at(1)])}

  def code_eval, do: elem(Code.eval_string("x = 2; Enum.map([1, 2], &(&1 * x))"), 0)
  def macros, do: Macro.to_string(quote(do: if(a, do: b + 1, else: c)))
  def version, do: {Version.match?("1.2.3", "~> 1.2"), Version.compare("1.0.0", "1.0.1")}
end
