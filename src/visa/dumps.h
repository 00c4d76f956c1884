// The dumps of Intel's compiler in a folder, and kernels that run from them: one whose bytes are those of a .dat runs
// from the .visaasm beside it. The program that runs may write the folder at the same time, so it is looked at again
// whenever a kernel is new. Documents: none; how IGC names its dumps, and that a dumped kernel differs from the one in
// memory only in 64-bit immediates that a linker has filled in.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "dispatch/program_cache.h"
#include "dispatch/substitutes.h"
#include "visa/machine.h"

namespace vitro::visa {

// What became of the kernels that were asked for.
struct DumpCounts {
  std::vector<std::string> matched{}, unmatched{};  // names; addresses and reasons
  size_t findings = 0;
};

class Dumps : public dispatch::Substitutes {
 public:
  using Report = std::function<void(std::string_view line)>;
  Dumps(const isa::Model& model, const ProgramFacts& facts, std::string folder, Report report);

  std::shared_ptr<dispatch::Substitute> find(const std::shared_ptr<const dispatch::Kernel>& kernel) override;
  DumpCounts counts() const;

 private:
  struct Dump {
    std::string stem{};
    std::vector<std::byte> code{};
    bool tried = false;
    std::shared_ptr<const Object> object{};
    std::shared_ptr<const Program> program{};
    std::string problem{};
  };
  struct Known {
    std::weak_ptr<const dispatch::Kernel> kernel{};
    std::shared_ptr<dispatch::Substitute> substitute{};
  };
  void look_again();
  bool prepare(Dump& dump);
  std::shared_ptr<dispatch::Substitute> match(const dispatch::Kernel& kernel);

  const isa::Model& model_;
  ProgramFacts facts_;
  std::string folder_;
  RunFindings findings_;
  mutable std::mutex lock_;
  std::map<std::string, Dump> dumps_{};  // by name
  std::map<const dispatch::Kernel*, Known> known_{};
  std::set<std::string> matched_{}, unmatched_{};
};

}  // namespace vitro::visa
