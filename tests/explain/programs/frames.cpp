// A Treiber stack of a pool of frames; no counter beside the head.
#include <atomic>
#include <cassert>
#include <thread>

struct Frame {
	std::atomic<Frame *> next{nullptr};
	std::atomic<int> owners{0};
};

struct FramePool {
	std::atomic<Frame *> top{nullptr};
	void give(Frame *frame)
	{
		frame->owners.fetch_sub(1);
		Frame *old = top.load();
		do
			frame->next.store(old);
		while (!top.compare_exchange_weak(old, frame));
	}
	Frame *take()
	{
		Frame *old = top.load();
		while (old) {
			Frame *below = old->next.load();
			if (top.compare_exchange_strong(old, below)) {
				int others = old->owners.fetch_add(1);
				assert(others == 0);
				return old;
			}
		}
		return nullptr;
	}
};

static Frame frames[2];
static FramePool pool;

static void decoder()
{
	pool.take();
	pool.take();
}

static void renderer()
{
	Frame *first = pool.take();
	pool.take();
	if (first)
		pool.give(first);
}

int main()
{
	for (Frame &frame : frames) {
		frame.owners = 1;
		pool.give(&frame);
	}
	std::thread a(decoder), b(renderer);
	a.join();
	b.join();
}
