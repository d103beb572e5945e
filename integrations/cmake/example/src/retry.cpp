#include "jobs/retry.h"

namespace jobs {

Outcome retry(int limit, const Cancel &cancel, const std::function<bool()> &action, int *tries)
{
	int made = 0;
	Outcome outcome = Outcome::gave_up;

	while (made < limit && outcome == Outcome::gave_up) {
		if (cancel.is_cancelled())
			outcome = Outcome::cancelled;
		else if (made++, action())
			outcome = Outcome::succeeded;
	}
	if (tries)
		*tries = made;
	return outcome;
}

} // namespace jobs
