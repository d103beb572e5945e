// A consumer does not look again when it wakes up: another one may have taken the item.
#include <future>
#include <mutex>
#include <condition_variable>
#include <queue>
#include <cassert>
#include <vector>
class Queue {
    std::mutex m_;
    std::condition_variable cv_;
    std::queue<int> items_;
public:
    void push(int v) { std::lock_guard<std::mutex> g(m_); items_.push(v); cv_.notify_one(); }
    int pop() {
        std::unique_lock<std::mutex> g(m_);
        if (items_.empty())
            cv_.wait(g);
        int v = items_.front();
        items_.pop();
        return v;
    }
};
int main() {
    Queue q;
    auto one = std::async(std::launch::async, [&] { return q.pop(); });
    auto two = std::async(std::launch::async, [&] { return q.pop(); });
    q.push(1);
    q.push(2);
    assert(one.get() + two.get() == 3);
}
