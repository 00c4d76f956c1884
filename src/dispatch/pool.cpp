// Handing out groups, or parts of them where a dispatch has few. A dispatch is a Job on the stack of its caller, and
// nobody's but the caller's until it is published: then host threads join it while it has parts left and leave when
// there are none. Joining and leaving a published one take the queue's lock, parts do not. PRM: as pool.h.
#include "dispatch/pool.h"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <iterator>
#include <mutex>
#include <thread>
#include <tuple>
#include <vector>

#include "base/awake.h"
#include "base/host_thread.h"

namespace vitro::dispatch {

namespace {

using Steady = std::chrono::steady_clock;

constexpr auto stop_interval = std::chrono::milliseconds(10);
constexpr uint64_t most_at_once = 64;  // parts handed out together
// A host thread is given a sixteenth of what would be its share of the rest: so that all end at about the same time,
// though some start late and some parts take longer.
constexpr uint64_t portions_each = 16;
// So long one waits awake for the others' last parts.
constexpr std::chrono::nanoseconds worth_awaiting = std::chrono::microseconds(20);
// Others are called only to what takes at least so long: until they have woken up, less is done.
// They do not wait awake for the next: on a machine with other things to do that takes more than it gives.
constexpr std::chrono::nanoseconds worth_calling = std::chrono::microseconds(20);
// The same of tasks, which are shorter than most groups: what others take over has to pay for calling them.
constexpr std::chrono::nanoseconds worth_sharing = std::chrono::microseconds(40);
// What is expected to take so long is not divided further.
constexpr std::chrono::nanoseconds worth_dividing = std::chrono::microseconds(4);

double nanoseconds(Steady::duration d) { return std::chrono::duration<double, std::nano>(d).count(); }

// Parts from one on up to another.
struct Share {
  alignas(64) std::atomic<uint64_t> next{0};
  uint64_t end = 0;

  uint64_t left() const { return end - std::min(end, next.load(std::memory_order_relaxed)); }
};

// All parts, in a share for each host thread, or in one. What the next of the same kind does to the same data is then
// done by the same host thread, whose caches have them.
struct Shares {
  static constexpr unsigned most = 8;
  unsigned count = 1;
  std::array<Share, most> each;

  void divide(uint64_t all, unsigned among) {
    count = std::min(among, most);
    for (uint64_t k = 0; k < count; ++k) each[k].next = all * k / count, each[k].end = all * (k + 1) / count;
  }
  uint64_t left() const {
    uint64_t sum = 0;
    for (unsigned k = 0; k < count; ++k) sum += each[k].left();
    return sum;
  }
  // A host thread's own share, and then, as k grows, those of others.
  Share& of(unsigned worker, unsigned k) { return each[(worker + k) % count]; }
};

struct Job {
  const Stage& stage;
  const Threads& threads;
  const unsigned workers;
  const uint64_t patience;
  unsigned seats = 1;      // FFTIDs of one subslice
  unsigned parts = 1;      // of each group
  uint64_t all = 0;        // parts
  uint64_t at_least = 1;   // parts handed out together
  uint64_t uncalled = 0;   // host threads that could help and do not know of it; the caller's own
  bool published = false;  // others may know of it; the caller's own
  Shares shares;           // of the parts; one where a part can wait for one before it
  std::atomic<bool> cancelled{false};

  // Under the queue's lock once it is published.
  unsigned untaken = 0;                 // subslices there may be: these have not been...
  std::vector<unsigned> free_places{};  // ...and these are no more; each place has FFTIDs of its own
  unsigned taken = 0;
  unsigned inside = 0;  // helpers
  std::optional<Fault> fault{};
  Counts& counts;

  uint64_t left() const { return shares.left(); }
  // Hands out some of a host thread's own share, or of another's when there is nothing left of it.
  struct Portion {
    uint64_t first = 0, end = 0;
  };
  Portion take(unsigned worker) {
    for (unsigned k = 0; k < shares.count; ++k) {
      Share& s = shares.of(worker, k);
      const uint64_t fair = s.left() * shares.count / (workers * portions_each);
      const uint64_t portion = std::clamp<uint64_t>(std::max(at_least, fair), 1, most_at_once);
      const uint64_t first = s.left() ? s.next.fetch_add(portion, std::memory_order_relaxed) : s.end;
      if (first < s.end) return {first, std::min(first + portion, s.end)};
    }
    return {};
  }
  bool has_place() const { return untaken > 0 || !free_places.empty(); }
  unsigned take_place() {
    if (!free_places.empty()) {
      const unsigned place = free_places.back();
      free_places.pop_back();
      return place;
    }
    --untaken;
    return taken++;
  }
  void keep(const Fault& f) {
    const auto place = [](const Fault& of) { return std::tie(of.thread->group, of.thread->number); };
    if (!fault || place(f) < place(*fault)) fault = f;
  }
};

// Why a dispatch cannot be run at all.
std::optional<Fault> refused(const Stage& stage, const Threads& threads) {
  const auto fault = [](std::string reason) { return Fault{.reason = std::move(reason), .thread = Fault::Thread{}}; };
  if (stage.slm_bytes > Subslice::slm_bytes) return fault("more shared local memory than a subslice has");
  if (threads.threads > Subslice::most_threads) return fault("a thread group of more threads than a subslice has");
  return std::nullopt;
}

// A subslice at work on a job.
struct Assignment {
  Subslice* subslice;
  unsigned worker;
  unsigned place;
  bool running = false;  // a portion of the parts

  Assignment(Job& job, Subslice& s, unsigned w, unsigned p) : subslice(&s), worker(w), place(p) {
    s.prepare(job.stage, job.threads, job.parts, place * job.seats, job.seats, place, job.cancelled);
  }
  // Runs a portion of the parts, or as long as patience lasts. False: nothing left to do.
  bool step(Job& job) {
    if (!running) {
      const Job::Portion portion = job.take(worker);
      if (portion.first == portion.end) return false;
      subslice->begin(portion.first, portion.end);
    }
    const Subslice::Progress progress = subslice->advance(job.patience);
    if (progress == Subslice::Progress::faulted) job.cancelled = true;
    running = progress == Subslice::Progress::unfinished;
    return !job.cancelled.load(std::memory_order_relaxed);
  }
  void leave(Job& job) {
    if (subslice->fault()) job.keep(*subslice->fault());
    subslice->finish(job.counts);
    if (job.published) job.free_places.push_back(place);  // else nobody comes
  }
};

}  // namespace

// Calls that any host thread may make.
struct Pool::TaskList {
  const Task task;
  void* const context;
  Shares shares{};
  bool published = false;           // others may know of it; the caller's own
  std::atomic<unsigned> inside{0};  // helpers; under the queue's lock, but for looks at it

  TaskList(uint64_t n, Task t, void* c, unsigned among) : task(t), context(c) { shares.divide(n, among); }
  // `look` is called after each task.
  template <class Look>
  void work(unsigned worker, Look look) {
    for (unsigned k = 0; k < shares.count; ++k) {
      Share& s = shares.of(worker, k);
      for (uint64_t n; s.left() && (n = s.next.fetch_add(1, std::memory_order_relaxed)) < s.end; look())
        task(context, worker, n);
    }
  }
};

struct Pool::WorkQueue {
  std::mutex lock;
  std::condition_variable work_waits, someone_left;
  std::vector<Job*> jobs;
  std::vector<TaskList*> task_lists;
  std::vector<std::unique_ptr<Subslice>> idle;
  std::vector<pthread_t> threads;
  unsigned helpers = 0;  // that have begun
  bool closing = false;
  const PoolOptions& options;

  explicit WorkQueue(const PoolOptions& o, unsigned helpers) : options(o) { start(helpers); }

  void start(unsigned helpers) {
    for (unsigned n = 0; n < helpers; ++n) {
      pthread_t id;
      const auto run = [](void* queue) -> void* {
        static_cast<WorkQueue*>(queue)->help();
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

  // Under the lock: one that is ready for the stage if there is one.
  std::unique_ptr<Subslice> take_subslice(const Stage& stage) {
    if (idle.empty()) return std::make_unique<Subslice>(options.subslice);
    const auto ready = std::find_if(idle.rbegin(), idle.rend(),
                                    [&](const auto& s) { return stage.number && s->stage() == stage.number; });
    if (ready != idle.rend()) std::swap(*ready, idle.back());
    std::unique_ptr<Subslice> s = std::move(idle.back());
    idle.pop_back();
    return s;
  }

  Job* joinable() {
    for (Job* j : jobs)
      if (j->has_place() && j->left() && !j->cancelled) return j;
    return nullptr;
  }

  TaskList* joinable_tasks() {
    for (TaskList* t : task_lists)
      if (t->shares.left()) return t;
    return nullptr;
  }

  void help() {
    std::unique_lock guard(lock);
    const unsigned worker = ++helpers;
    for (;;) {
      Job* job = nullptr;
      TaskList* tasks = nullptr;
      work_waits.wait(guard, [&] { return closing || (tasks = joinable_tasks()) || (job = joinable()); });
      if (closing) return;
      if (tasks) {
        ++tasks->inside;
        guard.unlock();
        tasks->work(worker, [] {});
        guard.lock();
        --tasks->inside;
        someone_left.notify_all();
        continue;
      }
      std::unique_ptr<Subslice> subslice = take_subslice(job->stage);
      ++job->inside;
      Assignment first(*job, *subslice, worker, job->take_place());
      work_on(*job, first, guard, [] {});
      idle.push_back(std::move(subslice));
      --job->inside;
      someone_left.notify_all();
    }
  }

  // Runs parts of a job until there are none left, and returns how many threads it ran if all of them were on this
  // subslice. `look` is called now and then. Called with the lock held, unless the job is not published, and left so.
  template <class Look>
  uint64_t work_on(Job& job, Assignment& first, std::unique_lock<std::mutex>& guard, Look look) {
    std::vector<std::unique_ptr<Subslice>> more_subslices;
    std::vector<Assignment> more;
    if (guard) guard.unlock();
    while (!job.cancelled.load(std::memory_order_relaxed)) {
      bool any = first.step(job), all_busy = first.running;
      for (Assignment& o : more) {
        any = o.step(job) || any;
        all_busy = all_busy && o.running;
      }
      if (!any) break;
      look();
      if (!all_busy || !job.left()) continue;
      // The groups here may wait for some that are not yet started.
      const std::lock_guard opening(lock);
      if (!job.has_place()) continue;
      more_subslices.push_back(take_subslice(job.stage));
      more.emplace_back(job, *more_subslices.back(), first.worker, job.take_place());
    }
    if (job.published) guard.lock();
    const uint64_t threads_run = first.subslice->threads_run();
    first.leave(job);
    if (more.empty()) return threads_run;
    for (Assignment& o : more) o.leave(job);
    if (!guard) guard.lock();
    std::move(more_subslices.begin(), more_subslices.end(), std::back_inserter(idle));
    if (!job.published) guard.unlock();
    return 0;
  }

  // From now on others may help.
  void publish(Job& job) {
    job.published = true;
    {
      const std::lock_guard guard(lock);
      jobs.push_back(&job);
    }
    for (; job.uncalled > 0; --job.uncalled) work_waits.notify_one();
  }

  void abandon(Job& job) {
    job.cancelled = true;
    std::unique_lock guard(lock, std::defer_lock);
    if (job.published) guard.lock();
    if (job.fault) return;
    job.fault = abandoned_fault();
    job.fault->thread = Fault::Thread{};
  }

  void publish(TaskList& list, unsigned called) {
    list.published = true;
    {
      const std::lock_guard guard(lock);
      task_lists.push_back(&list);
    }
    for (; called > 0; --called) work_waits.notify_one();
  }

  // There is nothing left of it; returns when nobody is at work on it any more.
  void finish(TaskList& list) {
    std::unique_lock guard(lock);
    std::erase(task_lists, &list);
    if (list.inside == 0) return;
    // What others still do takes about as long as one task: less than falling asleep and waking up, often.
    guard.unlock();
    wait_awake([&] { return list.inside == 0; }, worth_awaiting);
    guard.lock();
    someone_left.wait(guard, [&] { return list.inside == 0; });
  }

  // By the host thread that called, which has a place; returns when nobody is at work on the job any more, at that
  // time.
  Steady::time_point run(Job& job, Subslice& subslice, unsigned place, Steady::time_point began) {
    const std::function<bool()>* const stop =
        job.stage.run->stop && *job.stage.run->stop ? job.stage.run->stop : nullptr;
    auto asked = began;
    std::unique_lock guard(lock, std::defer_lock);
    if (job.published) guard.lock();
    const bool was_ready = job.stage.number && subslice.stage() == job.stage.number;
    Assignment first(job, subslice, 0, place);
    if (!was_ready) began = Steady::now();  // threads did not take the time until now
    const uint64_t threads_run = work_on(job, first, guard, [&] {
      if (!job.left() && !stop) return;
      const auto now = Steady::now();
      if (job.uncalled && !job.published && job.left() && now - began > worth_calling) publish(job);
      if (!stop || now - asked <= stop_interval) return;
      asked = now;
      if ((*stop)()) abandon(job);
    });
    const auto over = Steady::now();
    if (threads_run) job.stage.state.kernel->tier->thread_ns = nanoseconds(over - began) / double(threads_run);
    if (!job.published) return over;
    std::erase(jobs, &job);
    while (job.inside > 0) {
      if (!stop) {
        someone_left.wait(guard);
        continue;
      }
      someone_left.wait_for(guard, stop_interval);
      guard.unlock();
      if (!job.cancelled && (*stop)()) abandon(job);
      guard.lock();
    }
    return Steady::now();
  }

  // Under the lock: subslices that keep this memory for a stage's next dispatch need it no more.
  void release(const memory::Table* memory) {
    for (const std::unique_ptr<Subslice>& s : idle)
      if (s->memory() == memory) s->forget();
  }
};

Pool::Pool(const PoolOptions& options)
    : options_(options),
      workers_(options.workers ? options.workers : std::max(1u, std::thread::hardware_concurrency())) {
  queue_ = new WorkQueue(options_, workers_ - 1);
}

Pool::~Pool() {
  queue_->close();
  delete queue_;
}

namespace {

bool is_much(uint64_t count, const Pool::TaskTime& time) {
  return time.ns * double(count) > nanoseconds(worth_sharing);
}
// Little after much may be an exception.
void note(Pool::TaskTime& time, double ns) { time.ns = std::max(ns, time.ns / 2); }

}  // namespace

void Pool::each(uint64_t count, Task task, void* context, TaskTime& time) {
  if (count == 0) return;
  const uint64_t most = std::min<uint64_t>(count, workers_);
  TaskList list(count, task, context, unsigned(most));
  if (most > 1 && is_much(count, time)) queue_->publish(list, unsigned(most) - 1);
  const auto began = Steady::now();
  uint64_t own = 0;
  list.work(0, [&] {
    ++own;
    if (most > 1 && !list.published && list.shares.left() && Steady::now() - began > worth_sharing)
      queue_->publish(list, unsigned(most) - 1);
  });
  note(time, own ? nanoseconds(Steady::now() - began) / double(own) : 0);
  if (list.published) queue_->finish(list);
}

std::shared_ptr<Pool::TaskList> Pool::begin_each(uint64_t count, Task task, void* context, const TaskTime& time) {
  if (workers_ == 1 || !is_much(count, time)) return nullptr;
  auto list = std::make_shared<TaskList>(count, task, context, workers_);
  queue_->publish(*list, unsigned(std::min<uint64_t>(count, workers_ - 1)));
  return list;
}

void Pool::finish_each(TaskList& list, TaskTime& time) {
  const auto began = Steady::now();
  uint64_t own = 0;
  list.work(0, [&] { ++own; });
  note(time, own ? nanoseconds(Steady::now() - began) / double(own) : 0);
  queue_->finish(list);
}

// The old queue is left as it is: its locks may be held by threads that do not exist here.
void Pool::restart_after_fork() { queue_ = new WorkQueue(options_, workers_ - 1); }

Caller::~Caller() {
  if (!subslice_) return;
  Pool::WorkQueue& queue = *pool_.queue_;
  const std::lock_guard guard(queue.lock);
  queue.idle.push_back(std::move(subslice_));
  queue.release(memory_);
}

// Its own subslice, which nobody asks for a lock.
Subslice& Caller::subslice(const Stage& stage) {
  if (subslice_ && memory_ == stage.memory.get()) return *subslice_;
  Pool::WorkQueue& queue = *pool_.queue_;
  const std::lock_guard guard(queue.lock);
  if (subslice_) {
    queue.release(memory_);
    subslice_->forget();
  } else {
    subslice_ = queue.take_subslice(stage);
  }
  memory_ = stage.memory.get();
  return *subslice_;
}

std::optional<Fault> Caller::run(const Stage& stage, const Threads& threads, Counts& counts) {
  if (threads.groups == 0) return std::nullopt;
  const auto began = Steady::now();
  if (std::optional<Fault> fault = refused(stage, threads)) return fault;
  const Kernel& kernel = *stage.state.kernel;
  const uint64_t all_threads = threads.groups * std::max(1u, threads.threads);
  Tier* const tier = pool_.options_.subslice.tier;
  const KernelTier::Slot* slot =
      tier ? tier->begin(stage.state.kernel, stage.state.cr0, all_threads) : nullptr;  // may have to wait

  Job job{.stage = stage,
          .threads = threads,
          .workers = pool_.workers_,
          .patience = pool_.options_.patience,
          .counts = counts};
  job.seats = kernel.waits || threads.threads_of ? std::max(1u, threads.threads) : 1;
  unsigned most = std::max(1u, stage.thread_limit / job.seats);
  if (stage.in_order || stage.spawning.start) most = 1, job.seats = std::max(job.seats, stage.thread_limit);
  const double expected_ns = kernel.tier->thread_ns.load(std::memory_order_relaxed) * double(all_threads);
  if (expected_ns > nanoseconds(worth_dividing) && divisible(stage, threads)) {
    const uint64_t wanted = (job.workers * portions_each + threads.groups - 1) / threads.groups;  // parts of each group
    job.parts = unsigned(std::clamp<uint64_t>(wanted, 1, std::max(1u, threads.threads)));
  }
  job.all = threads.groups * job.parts;
  job.at_least = uint64_t(nanoseconds(worth_dividing) / std::max(1.0, expected_ns / double(job.all)));
  const bool in_line = most == 1 || kernel.loops || kernel.contends;
  job.shares.divide(job.all, in_line ? 1 : job.workers);
  job.untaken = unsigned(std::min<uint64_t>(most, job.all));
  job.uncalled = std::min<uint64_t>({job.all - 1, job.workers - 1, most - 1});

  Subslice& own = subslice(stage);
  Pool::WorkQueue& queue = *pool_.queue_;
  const ThreadCounts before = counts;
  const bool worth = job.uncalled && expected_ns > nanoseconds(worth_calling), measured = worth && kernel.contends;
  const bool together = worth && (!measured || kernel.tier->contention.together());
  const unsigned place = job.take_place();  // before others take all
  if (together) queue.publish(job);
  if (measured && !together) job.uncalled = 0;  // nor later
  const auto over = queue.run(job, own, place, began);
  // What was interpreted says nothing about compiled code, which comes soon.
  const bool one_tier = !slot || counts.compiled_threads - before.compiled_threads == counts.threads - before.threads;
  if (measured && one_tier) kernel.tier->contention.note(together, nanoseconds(over - began) / double(all_threads));
  if (slot) tier->end(*slot, before, counts);
  counts.spent += over - began;
  return std::move(job.fault);
}

}  // namespace vitro::dispatch
