defmodule MixFermata.MixProject do
  use Mix.Project

  def project do
    [app: :mix_fermata, version: "0.1.0", elixir: "~> 1.14", deps: []]
  end

  def application do
    [extra_applications: [:ex_unit]]
  end
end
