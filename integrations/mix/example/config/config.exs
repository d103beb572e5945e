import Config

config :tickets, house: "Small stage"
config :logger, level: :error
