#include "jobs/meter.h"

namespace jobs {

void Meter::submitted()
{
	waiting_.fetch_add(1);
}

void Meter::started()
{
	long now = running_.fetch_add(1) + 1;
	long peak = peak_.load();

	waiting_.fetch_sub(1);
	while (peak < now && !peak_.compare_exchange_weak(peak, now)) {
		// Another job has raised the peak; compare with the new value.
	}
}

void Meter::ended(bool well)
{
	running_.fetch_sub(1);
	(well ? done_ : failed_).fetch_add(1);
}

std::string Meter::text() const
{
	return std::to_string(waiting()) + " waiting, " + std::to_string(running()) + " running, " +
	       std::to_string(done()) + " done, " + std::to_string(failed()) + " failed";
}

} // namespace jobs
