defmodule Tickets.MixProject do
  use Mix.Project

  def project do
    [app: :tickets, version: "1.0.0", elixir: "~> 1.14", deps: deps(), fermata: ["--max-runs", "5000"]]
  end

  def application, do: [mod: {Tickets.Application, []}, extra_applications: [:logger]]

  # The folder that `make install` installs: share/fermata/mix_fermata.
  defp deps do
    [{:mix_fermata, path: System.get_env("MIX_FERMATA", "/usr/share/fermata/mix_fermata"),
      only: :test, runtime: false}]
  end
end
