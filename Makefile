# The front door. Meson and Ninja do the work; these are the words people type.
#
#   make          build the tool into build/
#   make demo     build, then show what it does on four small programs
#   make check    build with warnings as errors and run every test
#   make check-worlds   the same on Debian 13 and testing, in the chroots of scripts/worlds
#   make check-hard   the whole Erlang body, collecting garbage at every chance and sanitized;
#                     thousands of generated programs beside the real erl; dfs and dpor on
#                     130,000 generated Erlang programs, and dfs, dpor and a model on 140,000
#                     C programs, must agree; a thousand kills; every finding replayed elsewhere
#   make bench    print the benchmark tables; bench-papers writes docs/papers.md
#   make pictures   draw the pictures of the README again (chromium, gdb)
#   make format   format the C lines that differ from the last commit (or from SINCE=…)
#   make install  install (PREFIX=/usr/local, DESTDIR honoured); the tree can be moved
#   make deb      build the Debian packages fermata and fermata-dev into build-deb/
#   make uninstall  remove the files that make install put there

PREFIX ?= /usr/local
BUILD = build
SANITIZED = build-sanitized

.PHONY: all build demo check check-worlds check-hard bench bench-papers pictures format install uninstall deb clean packages test-packages

all: build

packages:
	@scripts/install-packages build

test-packages:
	@scripts/install-packages build test

$(BUILD)/build.ninja:
	meson setup $(BUILD) --prefix $(PREFIX)

build: packages
	@$(MAKE) --no-print-directory $(BUILD)/build.ninja
	ninja -C $(BUILD) tool

demo: build
	demo/run.sh

check: test-packages
	tests/check --build $(BUILD) --sanitized $(SANITIZED)

pictures: test-packages build
	tests/explain/pictures

check-worlds:
	scripts/worlds make
	scripts/worlds check

check-hard: test-packages build
	tests/erlang/compare --hard --timeout 600
	tests/weak/weakened
	tests/jobs/resume --kills 100
	tests/jobs/damage --flips 2000 --seed 7
	tests/explain/page --without
	tests/explain/fuzz --rounds 2000 --seed 7 --fermata $(SANITIZED)/fermata
	tests/fleet/run --hard
	ninja -C $(BUILD) fermata-explorer
	tests/explore/beside --count 5000 --runs 200
	tests/explore/beside --no-known --about state --seed 100000 --count 5000 --runs 100
	tests/explore/beside --no-known --about otp --seed 100000 --count 500 --runs 100 --max-runs 5000
	tests/explore/generated --small --seed 100000 --count 100000 --delivery instant --max-runs 2000
	tests/explore/generated --small --seed 300000 --count 10000 --delivery async --max-runs 2000
	tests/explore/generated --seed 400000 --count 2000
	tests/explore/generated --about exits --small --seed 500000 --count 5000
	tests/explore/generated --about processes --small --seed 600000 --count 5000
	tests/explore/generated --about deaths --small --seed 700000 --count 5000
	tests/explore/generated --about rest --small --seed 800000 --count 5000
	tests/explore/generated --about calls --seed 900000 --count 2000 --max-runs 300 --dpor-factor 10
	tests/certify/run --tries 1000
	tests/e2e/kills --kills 1000
	tests/e2e/run --hard hard_
	tests/e2e/sweep
	tests/property/run --seed 100000 --count 100000 --compiled 100 --findings 10
	tests/property/run --seed 200000 --count 10000 --cc clang --findings 10
	tests/property/run --seed 300000 --count 20000 --large --findings 10
	tests/property/run --seed 400000 --count 10000 --plain --findings 10
	meson setup $(SANITIZED) -Db_sanitize=address,undefined -Doptimization=0 2>/dev/null || true
	ninja -C $(SANITIZED) fermata
	meson test -C $(SANITIZED) --suite twice
	tests/erlang/compare --fermata $(SANITIZED)/fermata --timeout 300

bench: test-packages build
	bench/run
	bench/registry
	bench/shrinking
	bench/beam
	bench/races
	bench/blocks
	bench/hapset
	bench/bita

# docs/papers.md: our figures beside those of the five papers
bench-papers: test-packages build
	bench/papers

# Only the lines of a change: the tables that are aligned by hand stay as they are.
SINCE ?= HEAD
format:
	git clang-format --style file --extensions c,h $(SINCE) -- src include lib tests || true

install: build
	meson configure $(BUILD) --prefix $(PREFIX)
	meson install --no-rebuild -C $(BUILD)

uninstall:
	@test -f $(BUILD)/build.ninja || { echo "uninstall needs the folder $(BUILD)" >&2; exit 1; }
	scripts/uninstall $(BUILD)

deb: packages
	scripts/deb

clean:
	rm -rf build-deb $(BUILD) $(SANITIZED)
