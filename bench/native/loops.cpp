// The yardsticks of bench/run_compute, written by hand for AVX2 and FMA: the machine's peaks (float operations, integer
// operations, bytes read), and vecadd and sgemm at the sizes of the benchmark's kernels. Prints a name and a rate per
// second in each line. Not a part of the machine that is modelled.
#include <immintrin.h>

#include <barrier>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

#include "../../tests/system/timing.h"

namespace {

constexpr size_t numbers = 4194560;  // of vecadd: 48 MiB in all
constexpr size_t edge = 272;         // of sgemm's matrices: a multiple of 16

using Work = std::function<void(unsigned, unsigned)>;

// Threads that all do the same work, each its part.
class Team {
 public:
  explicit Team(unsigned size) : size_(size), begin_(size), end_(size) {
    for (unsigned n = 1; n < size; ++n)
      threads_.emplace_back([this, n] {
        for (;;) {
          begin_.arrive_and_wait();
          if (!work_) return;
          (*work_)(n, size_);
          end_.arrive_and_wait();
        }
      });
  }
  ~Team() {
    work_ = nullptr;
    begin_.arrive_and_wait();
    for (std::thread& t : threads_) t.join();
  }
  // The work is called with the number of a thread and how many there are.
  void run(const Work& work) {
    work_ = &work;
    begin_.arrive_and_wait();
    work(0, size_);
    end_.arrive_and_wait();
  }

 private:
  unsigned size_;
  std::barrier<> begin_, end_;
  const Work* work_ = nullptr;
  std::vector<std::thread> threads_;
};

// Registers that the compiler must take for changed.
template <class Vector, size_t N>
void keep(Vector (&v)[N]) {
  for (Vector& x : v) asm volatile("" : "+x"(x));
}

constexpr int steps = 1 << 20;  // of the loops that only compute
constexpr size_t chains = 12;   // independent ones: enough to cover the latency of an operation

void multiply_and_add(unsigned, unsigned) {
  __m256 sums[chains];
  for (__m256& s : sums) s = _mm256_set1_ps(1);
  __m256 factor[1] = {_mm256_set1_ps(0.999f)};
  for (int i = 0; i < steps; ++i) {
    keep(factor);
    for (__m256& s : sums) s = _mm256_fmadd_ps(s, factor[0], factor[0]);
  }
  keep(sums);
}

// Spelled out, as the compiler's own choice goes through memory.
void add_integers(unsigned, unsigned) {
  __m256i sums[chains];
  for (__m256i& s : sums) s = _mm256_set1_epi32(1);
  const __m256i addend = _mm256_set1_epi32(3);
  for (int i = 0; i < steps; ++i)
    for (__m256i& s : sums) asm volatile("vpaddd %1, %0, %0" : "+x"(s) : "x"(addend));
}

// The part of thread `n` in `count` things that come `unit` at a time.
struct Part {
  size_t begin, end;
  Part(size_t count, size_t unit, unsigned n, unsigned of)
      : begin(count / unit * n / of * unit), end(count / unit * (n + 1) / of * unit) {}
};

void read(const std::vector<float>& a, unsigned n, unsigned of) {
  __m256 seen[4] = {};
  const Part part(a.size(), 32, n, of);
  for (size_t i = part.begin; i < part.end; i += 32)
    for (size_t k = 0; k < 4; ++k) seen[k] = _mm256_or_ps(seen[k], _mm256_loadu_ps(&a[i + 8 * k]));
  keep(seen);
}

void add_vectors(const float* a, const float* b, float* c, unsigned n, unsigned of) {
  const Part part(numbers, 16, n, of);
  for (size_t i = part.begin; i < part.end; i += 16)
    for (size_t k = i; k < i + 16; k += 8)
      _mm256_storeu_ps(c + k, _mm256_add_ps(_mm256_loadu_ps(a + k), _mm256_loadu_ps(b + k)));
}

// c = a * b, four rows and sixteen columns at a time, whose sums stay in registers.
void multiply_matrices(const float* a, const float* b, float* c, unsigned n, unsigned of) {
  constexpr size_t rows = 4, columns = 2;  // a column is a register of eight
  const Part part(edge, rows, n, of);
  for (size_t x = 0; x < edge; x += 8 * columns)
    for (size_t y = part.begin; y < part.end; y += rows) {
      __m256 sums[rows][columns] = {};
      for (size_t k = 0; k < edge; ++k) {
        const __m256 right[columns] = {_mm256_loadu_ps(b + k * edge + x), _mm256_loadu_ps(b + k * edge + x + 8)};
        for (size_t r = 0; r < rows; ++r) {
          const __m256 left = _mm256_broadcast_ss(a + (y + r) * edge + k);
          for (size_t i = 0; i < columns; ++i) sums[r][i] = _mm256_fmadd_ps(left, right[i], sums[r][i]);
        }
      }
      for (size_t r = 0; r < rows; ++r)
        for (size_t i = 0; i < columns; ++i) _mm256_storeu_ps(c + (y + r) * edge + x + 8 * i, sums[r][i]);
    }
}

void report(Team& team, double seconds, const char* name, double amount, const Work& work) {
  std::printf("%s %.6g\n", name, amount / measure(seconds, [&] { team.run(work); }).best);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: bench_native THREADS SECONDS\n");
    return 2;
  }
  const unsigned threads = unsigned(std::atoi(argv[1]));
  const double seconds = std::atof(argv[2]);
  Team team(threads);
  std::vector<float> a(numbers, 1.5f), b(numbers, 2.5f), c(numbers), all(3 * numbers, 1.5f);
  const double lanes = 8.0 * chains * steps * threads;
  report(team, seconds, "flops", 2 * lanes, multiply_and_add);
  report(team, seconds, "operations", lanes, add_integers);
  report(team, seconds, "bytes", 4.0 * double(all.size()), [&](unsigned n, unsigned of) { read(all, n, of); });
  report(team, seconds, "vecadd", 12.0 * double(numbers),
         [&](unsigned n, unsigned of) { add_vectors(a.data(), b.data(), c.data(), n, of); });
  report(team, seconds, "sgemm", 2.0 * edge * edge * edge,
         [&](unsigned n, unsigned of) { multiply_matrices(a.data(), b.data(), c.data(), n, of); });
  return 0;
}
