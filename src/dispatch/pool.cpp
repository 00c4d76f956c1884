// Handing out groups, or parts of them where a dispatch has few. A dispatch is a Job on the stack of its caller; host
// threads join it while it has parts left and leave when there are none. Joining and leaving take the hall's lock,
// parts do not. PRM: as pool.h.
#include "dispatch/pool.h"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <limits>
#include <mutex>
#include <thread>
#include <tuple>

#include "base/host_thread.h"

namespace vitro::dispatch {

namespace {

constexpr auto stop_interval = std::chrono::milliseconds(10);
constexpr uint64_t most_at_once = 64;  // parts handed out together
// A host thread is given a sixteenth of what would be its share of the rest: so that all end at about the same time,
// though some start late and some parts take longer.
constexpr uint64_t portions_each = 16;
// Others are called only to what takes at least so long: until they have woken up, less is done.
constexpr std::chrono::nanoseconds worth_calling = std::chrono::microseconds(20);

struct Job {
  const Work& work;
  uint64_t patience;
  unsigned workers;
  unsigned seats;                 // FFTIDs of one subslice
  unsigned parts;                 // of each group
  std::atomic<uint64_t> next{0};  // part
  std::atomic<bool> cancelled{false};

  uint64_t uncalled = 0;  // host threads that could help and do not know of it; the caller's own

  // Under the hall's lock.
  std::vector<unsigned> free_places{};  // numbers of subslices, each with FFTIDs of its own
  unsigned inside = 0;                  // host threads
  Outcome outcome{};

  uint64_t all() const { return work.groups * parts; }
  uint64_t left() const { return all() - std::min(all(), next.load(std::memory_order_relaxed)); }
  // Parts handed out together.
  uint64_t portion() const { return std::clamp<uint64_t>(left() / (workers * portions_each), 1, most_at_once); }
};

// Why a dispatch cannot be run at all.
std::optional<Fault> refused(const Work& work) {
  const auto fault = [](std::string reason) { return Fault{.eu = {.reason = std::move(reason)}}; };
  if (work.slm_bytes > Subslice::slm_bytes) return fault("more shared local memory than a subslice has");
  if (work.threads > Subslice::most_threads) return fault("a thread group of more threads than a subslice has");
  return std::nullopt;
}

}  // namespace

struct Pool::Hall {
  std::mutex lock;
  std::condition_variable work_waits, someone_left;
  std::vector<Job*> jobs;
  std::vector<std::unique_ptr<Subslice>> idle;
  std::vector<pthread_t> threads;
  // How long threads of a kernel took when it was last run: an entry for each kernel, or for several in turn. One that
  // is not known counts as long: its first portion alone may take long.
  struct Experience {
    const Kernel* kernel = nullptr;
    double thread_ns = std::numeric_limits<double>::infinity();
  };
  std::array<Experience, 64> experience{};
  bool closing = false;
  const PoolOptions& options;

  explicit Hall(const PoolOptions& o, unsigned helpers) : options(o) { start(helpers); }

  void start(unsigned helpers) {
    for (unsigned n = 0; n < helpers; ++n) {
      pthread_t id;
      const auto run = [](void* hall) -> void* {
        static_cast<Hall*>(hall)->help();
        return nullptr;
      };
      if (start_host_thread(id, run, this) == 0) threads.push_back(id);
    }
  }
  void close() {
    {
      const std::lock_guard guard(lock);
      closing = true;
    }
    work_waits.notify_all();
    for (pthread_t id : threads) pthread_join(id, nullptr);
  }

  std::unique_ptr<Subslice> take_subslice() {  // under the lock
    if (idle.empty()) return std::make_unique<Subslice>(options.subslice);
    std::unique_ptr<Subslice> s = std::move(idle.back());
    idle.pop_back();
    return s;
  }

  // Under the lock.
  Experience& experience_of(const Work& work) {
    const Kernel* const kernel = work.state.kernel.get();
    Experience& e = experience[std::hash<const void*>{}(kernel) / sizeof(Kernel) % experience.size()];
    if (e.kernel != kernel) e = {.kernel = kernel};
    return e;
  }
  bool is_long(const Work& work) {
    const double threads = double(work.groups) * std::max(1u, work.threads);
    return experience_of(work).thread_ns * threads > double(worth_calling.count());
  }
  void note(const Work& work, const Counts& counts, std::chrono::nanoseconds busy) {
    if (counts.threads) experience_of(work).thread_ns = double(busy.count()) / double(counts.threads);
  }

  void call_helpers(Job& job) {
    for (; job.uncalled > 0; --job.uncalled) work_waits.notify_one();
  }

  Job* joinable() {
    for (Job* j : jobs)
      if (!j->free_places.empty() && j->left() && !j->cancelled) return j;
    return nullptr;
  }

  void help() {
    std::unique_lock guard(lock);
    for (;;) {
      Job* job = nullptr;
      work_waits.wait(guard, [&] { return closing || (job = joinable()); });
      if (closing) return;
      work_on(*job, guard, false, nullptr);
    }
  }

  struct Occupied {
    std::unique_ptr<Subslice> subslice;
    unsigned place;
    bool running = false;  // a portion of the parts
  };

  // Called and left with the lock held.
  void work_on(Job& job, std::unique_lock<std::mutex>& guard, bool is_caller, const std::function<bool()>* stop) {
    if (job.free_places.empty()) return;
    ++job.inside;
    std::vector<Occupied> mine;
    const auto open_another = [&] {  // under the lock
      if (job.free_places.empty()) return false;
      mine.push_back({take_subslice(), job.free_places.back()});
      job.free_places.pop_back();
      const unsigned place = mine.back().place;
      mine.back().subslice->prepare(job.work, job.parts, place * job.seats, job.seats, place, job.cancelled);
      return true;
    };
    open_another();
    guard.unlock();
    const auto began = std::chrono::steady_clock::now();
    auto asked = began;
    while (!job.cancelled.load(std::memory_order_relaxed)) {
      bool any = false, all_busy = true;
      for (Occupied& o : mine) {
        bool busy = false;
        any = step(job, o, busy) || any;
        all_busy = all_busy && busy;
      }
      if (!any) break;
      if (is_caller && job.uncalled && job.left() && std::chrono::steady_clock::now() - began > worth_calling)
        call_helpers(job);
      if (stop && std::chrono::steady_clock::now() - asked > stop_interval) {
        asked = std::chrono::steady_clock::now();
        if ((*stop)()) abandon(job);
      }
      if (all_busy && job.left()) {  // the groups here may wait for some that are not yet started
        guard.lock();
        open_another();
        guard.unlock();
      }
    }
    const auto busy = std::chrono::steady_clock::now() - began;
    guard.lock();
    for (Occupied& o : mine) {
      if (o.subslice->fault()) keep(job, *o.subslice->fault());
      const Counts counts = o.subslice->finish();
      if (is_caller && mine.size() == 1) note(job.work, counts, busy);
      job.outcome.counts += counts;
      job.free_places.push_back(o.place);
      idle.push_back(std::move(o.subslice));
    }
    --job.inside;
    someone_left.notify_all();
  }

  // Runs parts in one subslice: a portion of them, or as long as patience lasts. False: nothing left to do.
  static bool step(Job& job, Occupied& o, bool& busy) {
    if (!o.running) {
      const uint64_t portion = job.portion();
      const uint64_t first = job.next.fetch_add(portion, std::memory_order_relaxed);
      if (first >= job.all()) return false;
      o.subslice->begin(first, std::min(first + portion, job.all()));
    }
    const Subslice::Progress progress = o.subslice->advance(job.patience);
    if (progress == Subslice::Progress::faulted) job.cancelled = true;
    busy = o.running = progress == Subslice::Progress::unfinished;
    return !job.cancelled.load(std::memory_order_relaxed);
  }

  static void keep(Job& job, const Fault& fault) {
    const std::optional<Fault>& first = job.outcome.fault;
    if (!first || std::tie(fault.group, fault.thread) < std::tie(first->group, first->thread))
      job.outcome.fault = fault;
  }
  void abandon(Job& job) {
    job.cancelled = true;
    const std::lock_guard guard(lock);
    if (!job.outcome.fault) job.outcome.fault = Fault{.hung = true, .eu = {.reason = "abandoned"}};
  }
};

Pool::Pool(const PoolOptions& options)
    : options_(options),
      workers_(options.workers ? options.workers : std::max(1u, std::thread::hardware_concurrency())) {
  hall_ = new Hall(options_, workers_ - 1);
}

Pool::~Pool() {
  hall_->close();
  delete hall_;
}

// The old hall is left as it is: its locks may be held by threads that do not exist here.
void Pool::restart_after_fork() { hall_ = new Hall(options_, workers_ - 1); }

Outcome Pool::run(const Work& work) {
  if (work.groups == 0) return {};
  const auto began = std::chrono::steady_clock::now();
  if (std::optional<Fault> fault = refused(work)) return {.fault = std::move(fault)};
  Tier* const tier = options_.subslice.tier;
  const KernelTier::Slot* slot =
      tier ? tier->begin(work.state.kernel, work.state.cr0, work.groups * work.threads) : nullptr;  // may have to wait
  const bool together = work.state.kernel->waits;
  unsigned seats = together || work.threads_of ? std::max(1u, work.threads) : 1;
  unsigned most = std::max(1u, work.thread_limit / seats);
  if (work.in_order || work.spawning.start) most = 1, seats = std::max(seats, work.thread_limit);
  const uint64_t wanted = (workers_ * portions_each + work.groups - 1) / work.groups;  // parts of each group
  Job job{.work = work,
          .patience = options_.patience,
          .workers = workers_,
          .seats = seats,
          .parts = work.divisible() ? unsigned(std::clamp<uint64_t>(wanted, 1, std::max(1u, work.threads))) : 1};
  for (unsigned n = unsigned(std::min<uint64_t>(most, job.all())); n-- > 0;) job.free_places.push_back(n);

  Hall& hall = *hall_;
  std::unique_lock guard(hall.lock);
  hall.jobs.push_back(&job);
  job.uncalled = std::min<uint64_t>({job.all() - 1, workers_ - 1, most - 1});
  if (hall.is_long(work)) hall.call_helpers(job);
  hall.work_on(job, guard, true, work.stop && *work.stop ? work.stop : nullptr);
  std::erase(hall.jobs, &job);
  while (job.inside > 0) {
    if (!work.stop || !*work.stop) {
      hall.someone_left.wait(guard);
      continue;
    }
    hall.someone_left.wait_for(guard, stop_interval);
    guard.unlock();
    if (!job.cancelled && (*work.stop)()) hall.abandon(job);
    guard.lock();
  }
  if (slot) tier->end(*slot, job.outcome.counts);
  job.outcome.counts.spent = std::chrono::steady_clock::now() - began;
  return std::move(job.outcome);
}

}  // namespace vitro::dispatch
