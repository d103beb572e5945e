// A virtual call while the object's destructor changes its vtable pointer.
#include <memory>
#include <thread>

struct base {
	virtual ~base() {}
	virtual int number() const { return 1; }
};

struct derived : base {
	~derived() override {}
	int number() const override { return 2; }
};

int main()
{
	auto object = std::make_unique<derived>();
	base *seen = object.get();
	std::thread caller([seen] { (void)seen->number(); });

#ifdef FIXED
	caller.join();
	object.reset();
#else
	object->~derived();
	new (object.get()) derived();
	caller.join();
#endif
	return 0;
}
