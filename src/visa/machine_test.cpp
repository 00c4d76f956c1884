// Running vISA: what instructions leave in their variables, which channels are where, what is told about undefined
// accesses, and the messages that instructions become.
#include "visa/machine.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "gen/models.h"
#include "visa/read_text.h"
#include "visa/samples.h"

namespace vitro::visa {
namespace {

constexpr std::string_view declarations =
    ".decl D v_type=G type=d num_elts=32 align=hword\n"
    ".decl E v_type=G type=d num_elts=32 align=hword\n"
    ".decl U v_type=G type=ud num_elts=32 align=hword\n"
    ".decl W v_type=G type=w num_elts=64 align=hword alias=<E, 0>\n"
    ".decl B v_type=G type=ub num_elts=32 align=hword\n"
    ".decl F v_type=G type=f num_elts=32 align=hword\n"
    ".decl H v_type=G type=hf num_elts=32 align=hword\n"
    ".decl Q v_type=G type=q num_elts=16 align=hword\n"
    ".decl ONE v_type=G type=d num_elts=1 align=dword\n"
    ".decl ADDRESSES v_type=G type=uq num_elts=16 align=hword\n"
    ".decl A v_type=A num_elts=16\n"
    ".decl P1 v_type=P num_elts=16\n.decl P2 v_type=P num_elts=16\n.decl P8 v_type=P num_elts=8\n"
    ".decl T6 v_type=T num_elts=1 v_name=T006\n"
    ".input U offset=32 size=64\n"
    ".kernel_attr SimdSize=16\n";

struct Sent {
  uint8_t sfid;
  uint32_t desc, channels;
  std::vector<uint32_t> payload;
};

struct Ran {
  explicit Ran(std::string_view lines, uint32_t channels = 0xFFFF, std::string_view rest = "",
               const isa::Model& model = gen::gen9())
      : read(read_text(fmt::format(".version 4.1\n.kernel k\n{}{}{}", declarations, lines, rest))) {
    EXPECT_TRUE(read.ok()) << (read.ok() ? "" : read.diagnostics.front().message);
    program = std::make_unique<Program>(model, read.object, 0);
    machine = std::make_unique<Machine>(*program, &findings);
    functions.fill({[](void* self, eu::Thread&, eu::Message& m, std::string&) {
                      Sent s{m.sfid, m.desc, m.channels, {}};
                      for (unsigned n = 0; n < m.payload.size() / 4; ++n) s.payload.push_back(m.dword(n / 8, n % 8));
                      static_cast<Ran*>(self)->sent.push_back(s);
                      for (size_t n = 0; n < m.response.size() / 4; ++n) {
                        const auto v = uint32_t(1000 + n);
                        std::memcpy(m.response.data() + 4 * n, &v, 4);
                      }
                      return eu::Reply::done;
                    },
                    this});
    for (uint32_t n = 0; n < 32; ++n) std::memcpy(thread.grf.data() + 32 + 4 * n, &n, 4);
    thread.sr[2] = channels;
    thread.enable(channels, channels);
    thread.active = thread.dispatched = channels;
    machine->start(thread, functions);
    status = machine->run(10'000);
  }
  Ran(const Ran&) = delete;
  Ran& operator=(const Ran&) = delete;

  template <class T>
  std::vector<T> variable(std::string_view name) const {
    const Routine& r = read.object.routines[0];
    for (uint32_t n = 0; n < r.variables.size(); ++n)
      if (r.text(r.variables[n].name) == name) {
        const std::vector<std::byte> bytes = machine->read(predefined_variables + n);
        std::vector<T> v(bytes.size() / sizeof(T));
        std::memcpy(v.data(), bytes.data(), v.size() * sizeof(T));
        return v;
      }
    ADD_FAILURE() << name;
    return {};
  }
  std::vector<int32_t> d(size_t first = 0, size_t count = 16) const {
    const std::vector<int32_t> v = variable<int32_t>("D");
    return {v.begin() + long(first), v.begin() + long(first + count)};
  }

  TextResult read;
  std::unique_ptr<Program> program;
  std::vector<RunFinding> found{};
  RunFindings findings{[this](const RunFinding& f) { found.push_back(f); }};
  std::unique_ptr<Machine> machine;
  eu::SharedFunctions functions{};
  std::vector<Sent> sent{};
  eu::Thread thread{};
  eu::Status status = eu::Status::running;
};

std::vector<int32_t> counted(int32_t (*f)(int32_t)) {
  std::vector<int32_t> v;
  for (int32_t n = 0; n < 16; ++n) v.push_back(f(n));
  return v;
}

TEST(VisaMachine, RegionsModifiersAndConversions) {
  const Ran r(
      "mov (M1, 16) D(0,0)<1> U(0,0)<1;1,0>\n"
      "add (M1, 8) D(0,0)<2> (-)D(0,0)<2;1,0> 10:d\n"  // every second one
      "mov (M1, 16) F(0,0)<1> D(0,0)<1;1,0>\n"
      "mul.sat (M1, 16) F(2,0)<1> F(0,0)<1;1,0> 0x3e000000:f\n"
      "mov (M1, 16) H(0,0)<1> F(0,0)<1;1,0>\n"
      "mov (M1_NM, 8) B(0,0)<1> U(0,0)<0;4,2>\n"  // 0 2 4 6 0 2 4 6
      "ret (M1, 1)\n");
  EXPECT_EQ(r.status, eu::Status::ended);
  EXPECT_EQ(r.d(), counted([](int32_t n) { return n % 2 ? n : 10 - n; }));
  EXPECT_EQ(r.variable<float>("F")[0], 10.0f);
  EXPECT_EQ(r.variable<float>("F")[16 + 1], 0.125f);
  EXPECT_EQ(r.variable<float>("F")[16 + 9], 1.0f);
  EXPECT_EQ(r.variable<uint16_t>("H")[0], 0x4900);
  EXPECT_EQ(r.variable<uint8_t>("B")[3], 6);
  EXPECT_EQ(r.variable<uint8_t>("B")[5], 2);
  EXPECT_TRUE(r.found.empty());
}

TEST(VisaMachine, MeaningsOfSeveralSteps) {
  const Ran r(
      "mov (M1, 16) D(0,0)<1> U(0,0)<1;1,0>\n"
      "mad (M1, 16) E(0,0)<1> D(0,0)<1;1,0> D(0,0)<1;1,0> 100:d\n"
      "mulh (M1, 8) D(2,0)<1> 0x40000000:d U(0,0)<1;1,0>\n"
      "bfi (M1, 8) D(3,0)<1> 4:d 8:d U(0,0)<1;1,0> 0xffffffff:ud\n"
      "ret (M1, 1)\n");
  EXPECT_EQ(r.variable<int32_t>("E")[5], 125);
  EXPECT_EQ(r.d(16, 8), (std::vector<int32_t>{0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(r.d(24, 2), (std::vector<int32_t>{int32_t(0xFFFFF0FF), int32_t(0xFFFFF1FF)}));
}

TEST(VisaMachine, CarriesOfAllChannels) {
  const Ran r(
      "mov (M1_NM, 16) U(2,0)<1> 0xffffffff:ud\n"
      "addc (M1, 16) D(0,0)<1> E(0,0)<1> U(2,0)<1;1,0> U(0,0)<1;1,0>\n"
      "ret (M1, 1)\n");
  EXPECT_EQ(r.d(), counted([](int32_t n) { return n - 1; }));
  EXPECT_EQ(r.variable<int32_t>("E")[0], 0);
  EXPECT_EQ(r.variable<int32_t>("E")[15], 1);
}

// A vector's elements are those of the channels, wherever results go.
TEST(VisaMachine, VectorImmediates) {
  const Ran r(
      "mov (M1_NM, 4) D(0,0)<1> 0x8840:uv\n"
      "mov (M1_NM, 8) D(1,0)<1> 0x76543f10:v\n"
      "mov (M1_NM, 4) F(0,0)<1> 0x30405060:vf\n"
      "ret (M1, 1)\n");
  EXPECT_EQ(r.d(0, 4), (std::vector<int32_t>{0, 4, 8, 8}));
  EXPECT_EQ(r.d(8, 8), (std::vector<int32_t>{0, 1, -1, 3, 4, 5, 6, 7}));
  EXPECT_EQ(r.variable<float>("F")[0], 8.0f);
  EXPECT_EQ(r.variable<float>("F")[3], 1.0f);
}

TEST(VisaMachine, MasksAndPredicates) {
  const Ran r(
      "mov (M1_NM, 16) D(0,0)<1> 0:d\n"
      "mov (M1_NM, 16) D(2,0)<1> 0:d\n"
      "cmp.gt (M1, 16) P1 U(0,0)<1;1,0> 9:ud\n"
      "(P1) mov (M1, 16) D(0,0)<1> 1:d\n"
      "(!P1) mov (M3, 8) D(2,0)<1> 2:d\n"  // channels 8 to 15
      "setp (M1_NM, 8) P8 0x80:ud\n"
      "(P8.any) mov (M1_NM, 1) D(2,15)<1> 7:d\n"  // of the whole variable
      "(P8.all) mov (M1_NM, 1) D(2,14)<1> 7:d\n"
      "ret (M1, 1)\n",
      0x7FFF);
  EXPECT_EQ(r.d(), counted([](int32_t n) { return n > 9 && n < 15 ? 1 : 0; }));
  EXPECT_EQ(r.d(16, 16), (std::vector<int32_t>{2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7}));
}

TEST(VisaMachine, ChannelsMeetAgainBehindALoop) {
  const Ran r(
      "mov (M1, 16) D(0,0)<1> 0:d\n"
      "and (M1, 16) E(0,0)<1> U(0,0)<1;1,0> 3:d\n"
      "loop:\n"
      "add (M1, 16) D(0,0)<1> D(0,0)<1;1,0> 10:d\n"
      "cmp.eq (M1, 16) P2 D(0,0)<1;1,0> 20:d\n"
      "(!P2) goto (M1, 16) past\n"
      "add (M1, 16) D(0,0)<1> D(0,0)<1;1,0> 1:d\n"
      "past:\n"
      "add (M1, 16) E(0,0)<1> E(0,0)<1;1,0> -1:d\n"
      "cmp.ge (M1, 16) P1 E(0,0)<1;1,0> 0:d\n"
      "(P1) goto (M1, 16) loop\n"
      "mov (M1_NM, 1) ONE(0,0)<1> %ce0(0,0)<0;1,0>\n"
      "ret (M1, 1)\n");
  EXPECT_EQ(r.d(0, 4), (std::vector<int32_t>{10, 21, 31, 41}));
  EXPECT_EQ(r.variable<int32_t>("ONE")[0], 0xFFFF);
}

TEST(VisaMachine, CallsByChannels) {
  const Ran r(
      "mov (M1, 16) D(0,0)<1> U(0,0)<1;1,0>\n"
      "cmp.lt (M1, 16) P1 D(0,0)<1;1,0> 8:d\n"
      "(P1) call (M1, 16) twice\n"
      "add (M1, 16) D(0,0)<1> D(0,0)<1;1,0> 1:d\n"
      "ret (M1, 1)\n"
      ".function twice\n"
      "twice:\n"
      "cmp.lt (M1, 16) P2 D(0,0)<1;1,0> 4:d\n"
      "(P2) ret (M1, 16)\n"
      "add (M1, 16) D(0,0)<1> D(0,0)<1;1,0> D(0,0)<1;1,0>\n"
      "ret (M1, 16)\n");
  EXPECT_EQ(r.status, eu::Status::ended);
  EXPECT_EQ(r.d(), counted([](int32_t n) { return n >= 4 && n < 8 ? 2 * n + 1 : n + 1; }));
}

// Variables of a function are new each time it is entered.
TEST(VisaMachine, FunctionsCallThemselves) {
  const Ran r(
      "mov (M1_NM, 1) %arg(0,0)<1> 5:ud\n"
      "fcall (M1, 16) sum 1 1\n"
      "mov (M1, 1) ONE(0,0)<1> %retval(0,0)<0;1,0>\n"
      "ret (M1, 1)\n",
      0xFFFF,
      ".global_function sum\n"
      ".decl MINE v_type=G type=ud num_elts=1 align=dword\n"
      ".decl P1 v_type=P num_elts=1\n"
      "mov (M1_NM, 1) MINE(0,0)<1> %arg(0,0)<0;1,0>\n"
      "cmp.gt (M1_NM, 1) P1 MINE(0,0)<0;1,0> 0:ud\n"
      "(P1) goto (M1, 1) more\n"
      "mov (M1_NM, 1) %retval(0,0)<1> 0:ud\n"
      "fret (M1, 16)\n"
      "more:\n"
      "add (M1_NM, 1) %arg(0,0)<1> MINE(0,0)<0;1,0> -1:d\n"
      "fcall (M1, 16) sum 1 1\n"
      "add (M1_NM, 1) %retval(0,0)<1> %retval(0,0)<0;1,0> MINE(0,0)<0;1,0>\n"
      "fret (M1, 16)\n");
  EXPECT_EQ(r.status, eu::Status::ended) << (r.machine->fault() ? r.machine->fault()->reason : "");
  EXPECT_EQ(r.variable<int32_t>("ONE")[0], 15);
}

TEST(VisaMachine, IndirectOperands) {
  const Ran r(
      "mov (M1, 16) E(0,0)<1> U(0,0)<1;1,0>\n"
      "mov (M1_NM, 8) W(2,0)<1> 0x01234567:v\n"
      "shl (M1_NM, 8) W(2,0)<1> W(2,0)<1;1,0> 2:w\n"
      "addr_add (M1_NM, 8) A(0)<1> &E W(2,0)<1;1,0>\n"
      "mov (M1, 8) D(0,0)<1> r[A(0),4]<1,0>:d\n"    // an address for each
      "mov (M1, 8) D(1,0)<1> r[A(7),8]<0;2,1>:d\n"  // one for all: pairs
      "mov (M1_NM, 1) r[A(0),0]<1>:d 77:d\n"
      "ret (M1, 1)\n");
  EXPECT_EQ(r.d(), (std::vector<int32_t>{8, 7, 6, 5, 4, 3, 2, 1, 2, 3, 2, 3, 2, 3, 2, 3}));
  EXPECT_EQ(r.variable<int32_t>("E")[7], 77);
  EXPECT_TRUE(r.found.empty());
}

TEST(VisaMachine, UndefinedAccessesAreToldOnceForEachPlace) {
  const Ran r(
      "mov (M1, 16) D(0,0)<1> 0:d\n"
      "mov (M1_NM, 1) ONE(0,0)<1> 3:d\n"
      "loop:\n"
      "add (M1, 8) D(0,0)<1> D(0,0)<1;1,0> F(0,0)<1;1,0>\n"  // never written
      "addr_add (M1_NM, 1) A(0)<1> &ONE 2:uw\n"
      "mov (M1_NM, 1) D(1,0)<1> r[A(0),0]<0;1,0>:uw\n"
      "mov (M1_NM, 1) D(1,1)<1> r[A(0),2]<0;1,0>:uw\n"   // leaves it
      "mov (M1_NM, 1) D(1,2)<1> r[A(0),-1]<0;1,0>:uw\n"  // not aligned
      "mov (M1_NM, 2) D(1,3)<1> ONE(0,0)<1;1,0>\n"       // outside
      "add (M1_NM, 1) ONE(0,0)<1> ONE(0,0)<0;1,0> -1:d\n"
      "cmp.gt (M1_NM, 1) P1 ONE(0,0)<0;1,0> 0:d\n"
      "(P1) goto (M1, 1) loop\n"
      "cmp.eq (M1, 16) P1 B(0,0)<0;1,0> B(0,0)<0;1,0>\n"  // whatever it is
      "ret (M1, 1)\n");
  EXPECT_EQ(r.status, eu::Status::ended);
  ASSERT_EQ(r.found.size(), 4u);
  EXPECT_EQ(r.found[0].kind, FindingKind::unwritten);
  EXPECT_EQ(r.found[0].variable, "F");
  EXPECT_EQ(r.found[1].kind, FindingKind::strays);
  EXPECT_EQ(r.found[1].variable, "ONE");
  EXPECT_EQ(r.found[2].kind, FindingKind::misaligned);
  EXPECT_EQ(r.found[3].kind, FindingKind::outside);
  EXPECT_EQ(r.found[3].channel, 1u);
}

// The statements of "Operands" about what channels do.
TEST(VisaMachine, VI_104_ElementsOfADestinationAreAStrideApart) {
  const Ran r(
      "mov (M1_NM, 16) D(0,0)<1> 0:d\n"
      "mov (M1_NM, 16) D(2,0)<1> 0:d\n"
      "mov (M1, 4) D(1,1)<2> U(0,1)<1;1,0>\n"
      "ret (M1, 1)\n");
  EXPECT_EQ(r.d(8, 9), (std::vector<int32_t>{0, 1, 0, 2, 0, 3, 0, 4, 0}));
}

TEST(VisaMachine, VI_201_OneAddressIsTheOriginOfARegion) {
  const Ran r(
      "mov (M1_NM, 16) D(0,0)<1> 0:d\n"
      "addr_add (M1_NM, 1) A(0)<1> &U 8:uw\n"
      "addr_add (M1_NM, 1) A(1)<1> &D 0:uw\n"
      "mov (M1, 4) r[A(1),4]<2>:d r[A(0),-4]<4;2,1>:d\n"  // from element 1: 1 2, 5 6
      "ret (M1, 1)\n");
  EXPECT_EQ(r.d(0, 9), (std::vector<int32_t>{0, 1, 0, 2, 0, 5, 0, 6, 0}));
  EXPECT_TRUE(r.found.empty());
}

// Runs `access` with an address of U, which has 128 bytes, and one of the next variable; what is told of it.
std::vector<RunFinding> told_of(std::string_view access) {
  const Ran r(
      fmt::format("mov (M1_NM, 16) U(2,0)<1> 0:ud\nmov (M1_NM, 1) W(0,0)<1> 124:w\nmov (M1_NM, 8) W(1,0)<1> 0:w\n"
                  "mov (M1_NM, 1) W(1,7)<1> 2:w\naddr_add (M1_NM, 1) A(0)<1> &U W(0,0)<0;1,0>\n"
                  "addr_add (M1_NM, 8) A(8)<8> &U W(1,0)<1;1,0>\n{}\nret (M1, 1)\n",
                  access));
  EXPECT_EQ(r.status, eu::Status::ended);
  return r.found;
}

TEST(VisaMachine, VI_204_VI_206_AnAccessThroughAnAddressStaysInItsVariable) {
  EXPECT_TRUE(told_of("mov (M1_NM, 1) D(0,0)<1> r[A(0),0]<0;1,0>:d").empty());
  EXPECT_TRUE(told_of("mov (M1_NM, 8) D(0,0)<1> r[A(0),-28]<8;8,1>:d").empty());
  for (const std::string_view line :
       {"mov (M1_NM, 1) D(0,0)<1> r[A(0),4]<0;1,0>:d", "mov (M1_NM, 2) D(0,0)<1> r[A(0),0]<2;2,1>:d",
        "mov (M1_NM, 1) D(0,0)<1> r[A(0),-128]<0;1,0>:d", "mov (M1_NM, 1) r[A(0),4]<1>:d 1:d"}) {
    const std::vector<RunFinding> found = told_of(line);
    ASSERT_EQ(found.size(), 1u) << line;
    EXPECT_EQ(found[0].kind, FindingKind::strays) << line;
    EXPECT_EQ(found[0].variable, "U") << line;
  }
}

TEST(VisaMachine, VI_205_AddressesAreAlignedInEveryLane) {
  EXPECT_TRUE(told_of("mov (M1_NM, 4) D(0,0)<1> r[A(8),0]<1,0>:d").empty());
  EXPECT_TRUE(told_of("mov (M1_NM, 8) D(0,0)<1> r[A(8),0]<1,0>:w").empty());
  for (const std::string_view line :
       {"mov (M1_NM, 8) D(0,0)<1> r[A(8),0]<1,0>:d", "mov (M1_NM, 1) D(0,0)<1> r[A(8),1]<0;1,0>:w"}) {
    const std::vector<RunFinding> found = told_of(line);
    ASSERT_EQ(found.size(), 1u) << line;
    EXPECT_EQ(found[0].kind, FindingKind::misaligned) << line;
  }
}

TEST(VisaMachine, VI_302_PredicatesAreCombinedThenInverted) {
  const Ran r(
      "mov (M1_NM, 8) D(0,0)<1> 0:d\n"
      "setp (M1_NM, 8) P8 0x80:ud\n"
      "(!P8.all) mov (M1_NM, 1) D(0,0)<1> 1:d\n"  // inverted first, all would not be
      "(!P8.any) mov (M1_NM, 1) D(0,1)<1> 1:d\n"  // inverted first, some would be
      "(!P8) mov (M1_NM, 8) D(1,0)<1> 1:d\n"
      "(P8) mov (M1_NM, 8) D(1,0)<1> 0:d\n"
      "ret (M1, 1)\n");
  EXPECT_EQ(r.d(0, 2), (std::vector<int32_t>{1, 0}));
  EXPECT_EQ(r.d(8, 8), (std::vector<int32_t>{1, 1, 1, 1, 1, 1, 1, 0}));
}

TEST(VisaMachine, VI_303_VI_304_VI_305_TheMaskSaysTheFirstChannelOfMaskAndPredicate) {
  const Ran r(
      "mov (M1_NM, 16) D(0,0)<1> 0:d\n"
      "mov (M1_NM, 16) D(2,0)<1> 0:d\n"
      "setp (M1_NM, 16) P1 0x1f00:ud\n"
      "(P1) mov (M3, 8) D(0,0)<1> 1:d\n"     // channels 8 to 12, of which 9 does not run
      "(P1) mov (M3_NM, 8) D(1,0)<1> 1:d\n"  // the same of the predicate, whatever runs
      "(P1) mov (M1, 8) D(2,0)<1> 1:d\n"     // none of the first eight
      "mov (M4, 4) D(3,0)<1> 1:d\n"
      "ret (M1, 1)\n",
      0xDDFF);
  EXPECT_EQ(r.d(0, 8), (std::vector<int32_t>{1, 0, 1, 1, 1, 0, 0, 0}));
  EXPECT_EQ(r.d(8, 8), (std::vector<int32_t>{1, 1, 1, 1, 1, 0, 0, 0}));
  EXPECT_EQ(r.d(16, 8), std::vector<int32_t>(8));
  EXPECT_EQ(r.d(24, 5), (std::vector<int32_t>{1, 0, 1, 1, 0}));
}

TEST(VisaMachine, VI_306_ScatteredMessagesHaveChannelsBlocksHaveNot) {
  const Ran r(
      "mov (M1_NM, 16) ADDRESSES(0,0)<1> U(0,0)<1;1,0>\n"
      "mov (M1_NM, 16) D(0,0)<1> 7:d\n"
      "setp (M1_NM, 16) P1 0x0ff0:ud\n"
      "(P1) svm_scatter.4.1 (M1, 8) ADDRESSES.0 D.0\n"
      "(!P1) svm_scatter.4.1 (M3, 8) ADDRESSES.64 D.0\n"
      "svm_block_st (2) ADDRESSES(0,0)<0;1,0> D.0\n"
      "ret (M1, 1)\n",
      0x7FF7);
  ASSERT_EQ(r.sent.size(), 3u);
  EXPECT_EQ(r.sent[0].channels & 0xFF, 0xF0u);
  EXPECT_EQ(r.sent[1].channels & 0xFF, 0x70u);
  EXPECT_EQ(r.sent[2].payload[8 + 3], 7u);  // of a channel that does not run
}

TEST(VisaMachine, VI_417_TheRegionOfAScalarIsIgnored) {
  const Ran r(
      "mov (M1_NM, 16) ADDRESSES(0,0)<1> U(0,0)<1;1,0>\n"
      "mov (M1_NM, 8) D(0,0)<1> 7:d\n"
      "svm_block_st (2) ADDRESSES(0,3)<4;4,1> D.0\n"
      "svm_block_st (2) ADDRESSES(0,3)<0;1,0> D.0\n"
      "ret (M1, 1)\n");
  ASSERT_EQ(r.sent.size(), 2u);
  EXPECT_EQ(r.sent[0].payload[0], 3u);
  EXPECT_EQ(r.sent[0].payload, r.sent[1].payload);
}

TEST(VisaMachine, FaultsHaveTheirLine) {
  const Ran endless("loop:\ngoto (M1, 16) loop\nret (M1, 1)\n");
  EXPECT_EQ(endless.status, eu::Status::running);
  EXPECT_EQ(endless.machine->executed(), 10'000u);
  const Ran off("mov (M1, 16) D(0,0)<1> 1:d\n");
  ASSERT_TRUE(off.machine->fault());
  EXPECT_EQ(off.machine->fault()->reason, "k runs off its end");
  const Ran motion("vme_idm T6 U.0 D.0 E.0\nret (M1, 1)\n");
  ASSERT_TRUE(motion.machine->fault());
  EXPECT_EQ(motion.machine->fault()->unsupported, "vme_idm: its fixed function is not there");
  EXPECT_EQ(motion.program->refusals().size(), 1u);
}

// Read, written and checked, but not executed.
TEST(VisaMachine, FixedFunctionsAreRefusedByName) {
  size_t refused = 0;
  for (const SingleSample& sample : single_samples) {
    const TextResult text = read_text(sample_kernel(sample.text));
    ASSERT_TRUE(text.ok());
    const Instruction* i = nullptr;
    for (const Instruction& x : text.object.routines[0].instructions)
      if (x.row->traits & media) i = &x;
    if (!i) continue;
    const Program program(gen::gen9(), text.object, 0);
    ASSERT_EQ(program.refusals().size(), 1u) << sample.text;
    EXPECT_EQ(program.refusals()[0].what, fmt::format("{}: its fixed function is not there", i->row->mnemonic));
    ++refused;
  }
  EXPECT_EQ(refused, 4u + 2u + 25u);  // VME, AVS and sample_unorm, VA
}

// Descriptors as Intel's finalizer makes them; each channel's element where the page says.
TEST(VisaMachine, Messages) {
  const Ran r(
      "movs (M1_NM, 1) T6(0) 3:ud\n"
      "gather4_scaled.RG (M1, 16) T6 0x10:ud U.0 D.0\n"
      "mov (M1, 16) ADDRESSES(0,0)<1> U(0,0)<1;1,0>\n"
      "svm_scatter.4.1 (M1, 8) ADDRESSES.0 U.0\n"
      "ret (M1, 1)\n",
      0xFFFE);
  ASSERT_EQ(r.sent.size(), 2u);
  EXPECT_EQ(r.sent[0].sfid, 12);
  EXPECT_EQ(r.sent[0].desc, 0x04405C03u);  // two registers of offsets, four of answers; simd16, xy
  EXPECT_EQ(r.sent[0].channels, 0xFFFEu);
  EXPECT_EQ(r.sent[0].payload[5], 0x15u);
  EXPECT_EQ(r.sent[1].desc, 0x060681FFu);
  EXPECT_EQ(r.d(1, 2), (std::vector<int32_t>{1001, 1002}));
  EXPECT_EQ(r.d(0, 1), (std::vector<int32_t>{0}));  // its channel does not run
  EXPECT_EQ(r.d(17, 1), (std::vector<int32_t>{1017}));
}

// Every instruction that computes has a meaning, or a form of its own in the machine; and each message that Gen9 has a
// row for becomes one.
TEST(VisaMachine, RowsHaveMeanings) {
  constexpr Op own[] = {Op::addr_add, Op::setp, Op::movs};
  for (const Row& row : rows()) {
    if (!(row.traits & split) || std::find(std::begin(own), std::end(own), row.op) != std::end(own)) continue;
    EXPECT_FALSE(steps_of(row.op, true).empty()) << row.mnemonic;
    EXPECT_FALSE(steps_of(row.op, false).empty()) << row.mnemonic;
  }
}

}  // namespace
}  // namespace vitro::visa
