#include <memory>
#include <mutex>
#include <thread>
#include <cstdio>

struct Config { int port; int workers; };
static std::mutex m;
static std::unique_ptr<Config> config;

static Config *current() { std::lock_guard<std::mutex> g(m); return config.get(); }

static void reload()
{
	auto fresh = std::make_unique<Config>(Config{8081, 4});
	std::lock_guard<std::mutex> g(m);
	config = std::move(fresh);
}

static void serve()
{
	Config *c = current();
	if (c->port != 8080 && c->port != 8081)
		puts("bad port");
}

int main()
{
	config = std::make_unique<Config>(Config{8080, 2});
	std::thread r(reload), s(serve);
	r.join();
	s.join();
}
