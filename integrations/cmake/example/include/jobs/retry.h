// Repeats an action until it succeeds, was tried often enough, or is cancelled by another thread.
#pragma once

#include <atomic>
#include <functional>

namespace jobs {

class Cancel {
public:
	void cancel() { is_cancelled_.store(true); }
	bool is_cancelled() const { return is_cancelled_.load(); }

private:
	std::atomic<bool> is_cancelled_{false};
};

enum class Outcome { succeeded, gave_up, cancelled };

// `tries` is the number of calls that were made; it may be null.
Outcome retry(int limit, const Cancel &cancel, const std::function<bool()> &action, int *tries);

} // namespace jobs
