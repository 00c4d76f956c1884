// Values that are made when they are first asked for and then stay as they are, for any number of host threads and
// without a lock: who comes second takes what is there and drops its own. PRM: none.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace vitro {

template <class T>
class Once {
 public:
  Once() = default;
  ~Once() { delete at_.load(std::memory_order_relaxed); }
  Once(const Once&) = delete;
  Once& operator=(const Once&) = delete;

  const T* peek() const { return at_.load(std::memory_order_acquire); }  // null: nobody has asked
  template <class Make>
  const T& get(Make&& make) const {
    if (const T* there = peek()) return *there;
    auto made = std::make_unique<const T>(make());
    const T* there = nullptr;
    if (!at_.compare_exchange_strong(there, made.get(), std::memory_order_acq_rel)) return *there;
    return *made.release();
  }

 private:
  mutable std::atomic<const T*> at_{nullptr};
};

// Values by key. Each stays where it is for as long as the map does.
template <class Key, class Value, size_t buckets>
class OnceMap {
 public:
  explicit OnceMap(uint32_t most) : most_(most) {}
  ~OnceMap() {
    for (std::atomic<Node*>& b : buckets_)
      for (Node* n = b.load(std::memory_order_relaxed); n;) delete std::exchange(n, n->next);
  }
  OnceMap(const OnceMap&) = delete;
  OnceMap& operator=(const OnceMap&) = delete;

  bool full() const { return count_.load(std::memory_order_relaxed) >= most_; }
  // The value of a key; `make` fills it in. Of one that is not there when the map is full, `spare` is made anew each
  // time, which belongs to the host thread.
  template <class Make>
  Value& get(size_t hash, const Key& key, std::unique_ptr<Value>& spare, Make&& make) {
    std::atomic<Node*>& bucket = buckets_[hash % buckets];
    Node* first = bucket.load(std::memory_order_acquire);
    if (Node* there = find(first, nullptr, key)) return there->value;
    if (full()) {
      make(*(spare = std::make_unique<Value>()));
      return *spare;
    }
    auto made = std::make_unique<Node>(key);
    make(made->value);
    for (;;) {
      const Node* seen = made->next = first;
      if (bucket.compare_exchange_weak(first, made.get(), std::memory_order_acq_rel, std::memory_order_acquire)) break;
      if (Node* there = find(first, seen, key)) return there->value;
    }
    count_.fetch_add(1, std::memory_order_relaxed);
    return made.release()->value;
  }
  // Whether `test` holds for all values.
  template <class Test>
  bool all(Test&& test) const {
    for (const std::atomic<Node*>& b : buckets_)
      for (const Node* n = b.load(std::memory_order_acquire); n; n = n->next)
        if (!test(n->value)) return false;
    return true;
  }

 private:
  struct Node {
    const Key key;
    Value value{};
    Node* next = nullptr;
    explicit Node(const Key& k) : key(k) {}
  };
  static Node* find(Node* from, const Node* end, const Key& key) {
    while (from != end && !(from->key == key)) from = from->next;
    return from == end ? nullptr : from;
  }

  const uint32_t most_;
  std::atomic<uint32_t> count_{0};
  std::array<std::atomic<Node*>, buckets> buckets_{};
};

}  // namespace vitro
