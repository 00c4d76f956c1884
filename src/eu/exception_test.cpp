// Exceptions by their requirement ids (EX-01..EX-12) and worked examples (T42, T43, T50), on every generation.
// The system routine stands at byte 16 of each program, after a jump to the program proper.
// EX-06 is a convention between system software and its routine, and needs scratch memory for more than is shown here:
// T42 checks the part of the document's routine that needs no data port.
#include <fmt/format.h>

#include "eu/bench_test.h"
#include "eu/exception.h"

namespace vitro::eu {
namespace {

const isa::Model* const generations[] = {&gen::gen6(), &gen::gen8(), &gen::gen9()};

constexpr uint32_t enable(Exception e) { return 1u << int(e); }
constexpr uint32_t status(Exception e) { return 1u << (16 + int(e)); }

constexpr const char* save_control =
    "(W) mov (1|M0) r50.0<1>:ud cr0.0<0;1,0>:ud {Switch}\n"
    "(W) mov (1|M0) r50.1<1>:ud cr0.1<0;1,0>:ud {Switch}\n"
    "(W) mov (1|M0) r50.2<1>:ud cr0.2<0;1,0>:ud {Switch}\n";
constexpr const char* clear_status = "(W) and (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0xFFFF:ud {Switch}\n";
constexpr const char* skip_instruction = "(W) add (1|M0) cr0.2<1>:ud cr0.2<0;1,0>:ud 16:ud {Switch}\n";
constexpr const char* count_entry = "(W) add (1|M0) r51.0<1>:ud r51.0<0;1,0>:ud 1:ud\n";
constexpr const char* leave =
    "(W) and (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x7FFFFFFF:ud {Switch}\n"
    "nop\n"
    "(W) mov (1|M0) r52.0<1>:ud 0xBAD:ud\n";  // never reached

struct Routine : Bench {
  explicit Routine(const isa::Model& m, uint32_t enabled, uint32_t channels = 0xFF) : Bench(m, channels) {
    thread.cr[1] = enabled;
    sip = 16;
  }
  Routine& run_with(const std::string& routine, const std::string& program, uint64_t budget = 10000) {
    run("(W) jmpi MAIN\n" + routine + "MAIN: nop\n" + program, budget);
    return *this;
  }
};

uint32_t instructions(const std::string& text) { return uint32_t(std::count(text.begin(), text.end(), '\n')); }
// Address of instruction n of the program proper, after its nop.
uint32_t place(const std::string& routine, uint32_t n) { return 16 * (1 + instructions(routine) + 1 + n); }

TEST(Exceptions, T50_EX02_EX07_IllegalOpcodeRunsTheSystemRoutine) {
  for (const isa::Model* m : generations) {
    Routine b(*m, enable(Exception::illegal_opcode), 0x5A);
    const std::string routine = std::string(save_control) + count_entry + clear_status + skip_instruction + leave;
    b.run_with(routine,
               "mov (8|M0) r2.0<1>:ud 1:ud\n"
               "illegal\n"
               "add (8|M0) r2.0<1>:ud r2.0<8;8,1>:ud 4:ud");
    EXPECT_EQ(b.status, Status::ended) << (b.fault ? b.fault->reason : "");
    EXPECT_EQ(b.get<uint32_t>(50, 0) >> 31, 1u) << "the master bit is set in the routine";
    EXPECT_EQ(b.get<uint32_t>(50, 1), enable(Exception::illegal_opcode) | status(Exception::illegal_opcode));
    EXPECT_EQ(b.get<uint32_t>(50, 2), place(routine, 1)) << "AIP is the illegal instruction itself";
    EXPECT_EQ(b.get<uint32_t>(51, 0), 1u);
    EXPECT_EQ(b.get<uint32_t>(52, 0), 0u) << "nothing runs after the master bit is cleared";
    EXPECT_EQ(b.thread.cr[0] >> 31, 0u);
    EXPECT_EQ(b.thread.active, 0x5Au);
    EXPECT_EQ(b.lanes<uint32_t>(2, 8), (std::vector<uint32_t>{0, 5, 0, 5, 5, 0, 5, 0}));
  }
}

// An opcode that is not defined is forced to illegal; its memory stays as it is.
TEST(Exceptions, EX07_UndefinedOpcodes) {
  for (const isa::Model* m : generations) {
    uint8_t code = 0x7F;
    while (m->by_code[code]) --code;
    std::vector<std::byte> bytes(48);
    bytes[16] = std::byte{code};
    bytes[0] = bytes[32] = std::byte{0x7E};
    const Program program(*m, bytes);
    Thread t;
    t.active = t.dispatched = 1;
    const SharedFunctions none{};
    Executor passes{t, program, none};
    EXPECT_EQ(passes.run(2), Status::running);
    EXPECT_EQ(t.ip, 32u);
    EXPECT_EQ(t.cr[1], status(Exception::illegal_opcode)) << "latched though not enabled";
    EXPECT_EQ(passes.passed_over.count, 1u);
    EXPECT_EQ(passes.passed_over.first_ip, 16u);
    EXPECT_EQ(passes.passed_over.first_code, code);
    t = {};
    t.active = t.dispatched = 1;
    t.cr[1] = enable(Exception::illegal_opcode);
    Executor enters{t, program, none};
    enters.sip = 32;
    EXPECT_EQ(enters.run(2), Status::running) << m->name;
    EXPECT_EQ(t.cr[2], 16u);
    EXPECT_EQ(t.ip, 32u);
  }
}

// Whatever stands behind an illegal opcode: its size is all that counts. Bit 7 is part of a native instruction's
// opcode.
TEST(Exceptions, EX07_IllegalOpcodesArePassedOver) {
  const auto word = [](std::initializer_list<uint32_t> dwords) {
    std::vector<std::byte> bytes(dwords.size() * 4);
    std::memcpy(bytes.data(), std::data(dwords), bytes.size());
    return bytes;
  };
  constexpr uint32_t compact = 1u << 29;
  const std::vector<std::byte> illegal[] = {
      word({0, 0, 0, 0}),    word({0xDFFFFF00, ~0u, ~0u, ~0u}),   // opcode 0, every reserved value
      word({0xC1, 1, 2, 3}),                                      // mul with bit 7
      word({compact, 0}),    word({compact | 0x1F, 0x12345678}),  // no such opcode
  };
  for (const isa::Model* m : generations)
    for (const std::vector<std::byte>& bytes : illegal) {
      std::vector<std::byte> code = isa::assemble(*m, "mov (8|M0) r2.0<1>:ud 7:ud").code;
      const size_t first = code.size();
      code.insert(code.end(), bytes.begin(), bytes.end());
      const auto more = isa::assemble(*m, "add (8|M0) r2.0<1>:ud r2.0<8;8,1>:ud 1:ud").code;
      code.insert(code.end(), more.begin(), more.end());
      const Program program(*m, code);
      ASSERT_EQ(program.plans().size(), 3u) << m->name << bytes.size();
      Thread t;
      t.active = t.dispatched = 0xFF;
      const SharedFunctions none{};
      Executor x{t, program, none};
      EXPECT_EQ(x.run(3), Status::running) << m->name << bytes.size() << (x.fault ? x.fault->reason : "");
      uint32_t r2 = 0;
      std::memcpy(&r2, t.grf.data() + 2 * reg_bytes, sizeof r2);
      EXPECT_EQ(r2, 8u);
      EXPECT_EQ(t.cr[1], status(Exception::illegal_opcode));
      EXPECT_EQ(x.passed_over.first_ip, first);
      EXPECT_EQ(x.passed_over.first_code, uint8_t(bytes[0]));
    }
}

// Status and enable meet later: then the routine is entered.
TEST(Exceptions, EX03_IllegalOpcodeStaysLatched) {
  for (const isa::Model* m : generations) {
    Routine b(*m, 0);
    const std::string routine = std::string(save_control) + count_entry + clear_status + leave;
    b.run_with(routine,
               "illegal\n"
               "(W) or (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0x1000:ud {Switch}\n"
               "mov (8|M0) r2.0<1>:ud 7:ud");
    EXPECT_EQ(b.status, Status::ended);
    EXPECT_EQ(b.get<uint32_t>(51, 0), 1u);
    EXPECT_EQ(b.get<uint32_t>(2, 0), 7u);
  }
}

// Legal opcodes with reserved fields are no exceptions (EX-11): they stay Faults that name the field.
TEST(Exceptions, EX11_ReservedFieldsAreFaults) {
  for (const isa::Model* m : generations) {
    std::vector<std::byte> code(16);
    code[0] = std::byte{0x40};    // add
    code[2] = std::byte{7 << 5};  // of 128 channels
    code[3] = std::byte{0};
    const Program program(*m, code);
    Thread t;
    t.active = t.dispatched = 1;
    const SharedFunctions none{};
    Executor x{t, program, none};
    EXPECT_EQ(x.run(1), Status::faulted) << m->name;
    EXPECT_NE(x.fault->reason.find("ExecSize"), std::string::npos) << x.fault->reason;
    EXPECT_EQ(t.cr[1], 0u);
  }
}

// A program without an end is not followed through all the zeros of memory.
TEST(Exceptions, EX07_ALongRowOfIllegalOpcodesIsAFault) {
  for (const isa::Model* m : generations)
    for (const size_t zeros : {most_illegal_in_a_row, most_illegal_in_a_row + 1}) {
      std::vector<std::byte> code(zeros * 16);
      const auto more = isa::assemble(*m, "mov (8|M0) r2.0<1>:ud 7:ud").code;
      code.insert(code.end(), more.begin(), more.end());
      const Program program(*m, code);
      Thread t;
      t.active = t.dispatched = 0xFF;
      const SharedFunctions none{};
      Executor x{t, program, none};
      const bool too_many = zeros > most_illegal_in_a_row;
      EXPECT_EQ(x.run(zeros + 1), too_many ? Status::faulted : Status::running) << m->name;
      if (!too_many) continue;
      EXPECT_EQ(x.fault->reason, "the program ran off its end: more than 256 illegal opcodes in a row");
      EXPECT_EQ(x.fault->ip, most_illegal_in_a_row * 16);
      EXPECT_EQ(x.fault->instruction.rfind("illegal", 0), 0u) << x.fault->instruction;
    }
}

TEST(Exceptions, EX09_SoftwareExceptionReturnsToTheNextInstruction) {
  for (const isa::Model* m : generations) {
    Routine b(*m, enable(Exception::software));
    const std::string routine = std::string(save_control) + count_entry + clear_status + leave;
    b.run_with(routine,
               "(W) or (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0x20000000:ud {Switch}\n"
               "mov (8|M0) r2.0<1>:ud 7:ud");
    EXPECT_EQ(b.status, Status::ended);
    EXPECT_EQ(b.get<uint32_t>(51, 0), 1u);
    EXPECT_EQ(b.get<uint32_t>(50, 2), place(routine, 1));
    EXPECT_EQ(b.get<uint32_t>(50, 1) >> 16, status(Exception::software) >> 16);
    EXPECT_EQ(b.get<uint32_t>(2, 0), 7u);
  }
}

TEST(Exceptions, EX09_AStatusWithoutItsEnableWaits) {
  for (const isa::Model* m : generations) {
    Routine b(*m, 0);
    b.run_with(std::string(count_entry) + clear_status + leave,
               "(W) or (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0x20000000:ud {Switch}\n"
               "mov (8|M0) r2.0<1>:ud 1:ud\n"
               "(W) mov (1|M0) r3.0<1>:ud r51.0<0;1,0>:ud\n"
               "(W) or (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0x2000:ud {Switch}\n"
               "mov (8|M0) r2.0<1>:ud 2:ud");
    EXPECT_EQ(b.status, Status::ended);
    EXPECT_EQ(b.get<uint32_t>(3, 0), 0u) << "not entered while disabled";
    EXPECT_EQ(b.get<uint32_t>(51, 0), 1u) << "entered when enabled: the status was latched";
  }
}

// EX-03: an exception inside the routine waits for its end; one of each kind is kept.
TEST(Exceptions, EX03_NotNested) {
  for (const isa::Model* m : generations) {
    Routine b(*m, enable(Exception::software) | enable(Exception::illegal_opcode));
    // First entry, by the illegal opcode: raises two software exceptions, and clears only the illegal opcode's status.
    const std::string routine = std::string(count_entry) +
                                "(W) cmp (1|M0) (eq)f0.0 null<1>:ud r51.0<0;1,0>:ud 1:ud\n"
                                "(W&~f0.0) jmpi SECOND\n"
                                "(W) or (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0x20000000:ud {Switch}\n"
                                "(W) or (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0x20000000:ud {Switch}\n"
                                "(W) and (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0xEFFFFFFF:ud {Switch}\n" +
                                skip_instruction + leave + "SECOND: " + save_control + clear_status + leave;
    b.run_with(routine, "illegal\nmov (8|M0) r2.0<1>:ud 7:ud");
    EXPECT_EQ(b.status, Status::ended);
    EXPECT_EQ(b.get<uint32_t>(51, 0), 2u) << m->name;
    // EX-04: entered again before any instruction of the program
    EXPECT_EQ(b.get<uint32_t>(50, 2), place(routine, 1));
    EXPECT_EQ(b.get<uint32_t>(2, 0), 7u);
  }
}

TEST(Exceptions, EX04_WritingOneToTheMasterBitDoesNothing) {
  for (const isa::Model* m : generations) {
    Routine b(*m, 0);
    b.run_with("nop\n",
               "(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x80000000:ud {Switch}\n"
               "mov (8|M0) r2.0<1>:ud 7:ud");
    EXPECT_EQ(b.status, Status::ended);
    EXPECT_EQ(b.thread.cr[0] >> 31, 0u);
    EXPECT_EQ(b.get<uint32_t>(2, 0), 7u);
  }
}

// EX-04: a status that was not cleared, and is enabled, enters again: here for ever.
TEST(Exceptions, EX04_UnclearedStatusEntersAgain) {
  for (const isa::Model* m : generations) {
    Routine b(*m, enable(Exception::software));
    b.run_with(std::string(count_entry) + leave,
               "(W) or (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0x20000000:ud {Switch}\n"
               "mov (8|M0) r2.0<1>:ud 7:ud",
               1000);
    EXPECT_EQ(b.status, Status::running);
    EXPECT_GT(b.get<uint32_t>(51, 0), 100u);
    EXPECT_EQ(b.get<uint32_t>(2, 0), 0u);
  }
}

TEST(Exceptions, EX05_SipIsAlignedTo16Bytes) {
  for (const isa::Model* m : generations) {
    Routine b(*m, enable(Exception::software));
    b.sip = 16 + 15;
    b.run_with(std::string(count_entry) + clear_status + leave,
               "(W) or (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0x20000000:ud {Switch}");
    EXPECT_EQ(b.status, Status::ended);
    EXPECT_EQ(b.get<uint32_t>(51, 0), 1u);
  }
}

// EX-08: the breakpoint comes before its instruction; with the suppress bit the instruction runs once.
TEST(Exceptions, EX08_BreakpointWithSuppress) {
  for (const isa::Model* m : generations) {
    Routine b(*m, enable(Exception::breakpoint));
    const std::string routine = std::string(save_control) + count_entry +
                                "(W) mov (1|M0) r50.3<1>:ud r2.0<0;1,0>:ud\n" + clear_status +
                                "(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x8000:ud {Switch}\n" + leave;
    b.run_with(routine,
               "mov (8|M0) r2.0<1>:ud 1:ud\n"
               "add (8|M0) r2.0<1>:ud r2.0<8;8,1>:ud 4:ud {Breakpoint}\n"
               "add (8|M0) r2.0<1>:ud r2.0<8;8,1>:ud 8:ud");
    EXPECT_EQ(b.status, Status::ended);
    EXPECT_EQ(b.get<uint32_t>(51, 0), 1u) << m->name;
    EXPECT_EQ(b.get<uint32_t>(50, 1) >> 16, status(Exception::breakpoint) >> 16);
    EXPECT_EQ(b.get<uint32_t>(50, 2), place(routine, 1));
    EXPECT_EQ(b.get<uint32_t>(50, 3), 1u) << "before the instruction";
    EXPECT_EQ(b.get<uint32_t>(2, 0), 13u);
    EXPECT_EQ(b.thread.cr[0] & cr_breakpoint_suppress, 0u) << "cleared once the instruction ran";
  }
}

// EX-08: with the status left set and suppress set at each return, every instruction enters once: single stepping.
TEST(Exceptions, EX08_SingleStepping) {
  for (const isa::Model* m : generations) {
    Routine b(*m, enable(Exception::breakpoint));
    const std::string routine =
        std::string(count_entry) + "(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x8000:ud {Switch}\n" + leave;
    b.run_with(routine,
               "mov (8|M0) r2.0<1>:ud 1:ud\n"
               "add (8|M0) r2.0<1>:ud r2.0<8;8,1>:ud 4:ud {Breakpoint}\n"
               "add (8|M0) r2.0<1>:ud r2.0<8;8,1>:ud 8:ud\n"
               "add (8|M0) r2.0<1>:ud r2.0<8;8,1>:ud 16:ud");
    EXPECT_EQ(b.status, Status::ended);
    EXPECT_EQ(b.get<uint32_t>(51, 0), 4u) << m->name << ": three adds and the end";
    EXPECT_EQ(b.get<uint32_t>(2, 0), 29u);
  }
}

TEST(Exceptions, EX08_NoBreakpointUnlessEnabled) {
  for (const isa::Model* m : generations) {
    Routine b(*m, 0);
    b.run_with(std::string(count_entry) + leave, "mov (8|M0) r2.0<1>:ud 1:ud {Breakpoint}");
    EXPECT_EQ(b.status, Status::ended);
    EXPECT_EQ(b.get<uint32_t>(51, 0), 0u);
    EXPECT_EQ(b.thread.cr[1], 0u);
  }
}

// EX-10: a halt from outside needs no enable bit.
TEST(Exceptions, EX10_ExternalHalt) {
  for (const isa::Model* m : generations) {
    Routine b(*m, 0);
    raise(b.thread, Exception::external_halt);
    const std::string routine = std::string(save_control) + count_entry + clear_status + leave;
    b.run_with(routine, "mov (8|M0) r2.0<1>:ud 7:ud");
    EXPECT_EQ(b.status, Status::ended);
    EXPECT_EQ(b.get<uint32_t>(51, 0), 1u);
    EXPECT_EQ(b.get<uint32_t>(50, 1), status(Exception::external_halt));
    EXPECT_EQ(b.get<uint32_t>(50, 2), 0u) << "before the first instruction";
    EXPECT_EQ(b.get<uint32_t>(2, 0), 7u);
  }
}

TEST(Exceptions, EX10_ExternalHaltReachesAThreadThatWaits) {
  for (const isa::Model* m : generations) {
    const isa::Assembly a = isa::assemble(*m,
                                          "wait n0.0<0;1,0>:ud\n"
                                          "(W) mov (1|M0) r50.2<1>:ud cr0.2<0;1,0>:ud {Switch}\n",
                                          {.validate = false});
    const Program program(*m, a.code);
    const SharedFunctions none{};
    Thread t;
    t.active = t.dispatched = 1;
    t.cr[2] = 0x40;
    Executor x{t, program, none};
    x.sip = 16;
    EXPECT_EQ(x.run(10), Status::waiting);
    raise(t, Exception::external_halt);
    EXPECT_EQ(x.run(1), Status::running);
    EXPECT_EQ(t.ip, 16u) << m->name;
    EXPECT_EQ(t.cr[2], 0u) << "it will wait again";
  }
}

// EX-01, EX-02: several at once are all visible to one invocation; the routine finds the first by lzd.
TEST(Exceptions, EX01_SeveralAtOnce) {
  for (const isa::Model* m : generations) {
    Routine b(*m, enable(Exception::software) | enable(Exception::breakpoint));
    raise(b.thread, Exception::external_halt);
    raise(b.thread, Exception::software);
    b.run_with(
        std::string(save_control) + "(W) lzd (1|M0) r50.3<1>:ud r50.1<0;1,0>:ud\n" + count_entry + clear_status + leave,
        "nop\n");
    EXPECT_EQ(b.status, Status::ended);
    EXPECT_EQ(b.get<uint32_t>(51, 0), 1u);
    EXPECT_EQ(b.get<uint32_t>(50, 3), 1u) << "external halt is bit 30";
  }
}

// EX-02: flags, masks and registers are as the program left them, so the routine works with NoMask.
TEST(Exceptions, EX02_StateOfTheThreadIsKept) {
  for (const isa::Model* m : generations) {
    Routine b(*m, enable(Exception::software));
    b.fill<int32_t>(2, {0, 1, 2, 3, 4, 5, 6, 7});
    const bool old = m->mrf_count != 0;
    b.run_with(std::string("mov (8|M0) r53.0<1>:ud 1:ud\n") + count_entry + clear_status + leave,
               std::string("cmp (8|M0) (lt)f0.0 null<1>:d r2.0<8;8,1>:d 3:w\n") +
                   (old ? "(f0.0) if (8|M0) END\n" : "(f0.0) if (8|M0) END END\n") +
                   "(W) or (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0x20000000:ud {Switch}\n"
                   "mov (8|M0) r3.0<1>:ud 1:ud\n"
                   "END: endif (8|M0) NEXT\n"
                   "NEXT: mov (8|M0) r4.0<1>:ud 1:ud");
    EXPECT_EQ(b.status, Status::ended);
    EXPECT_EQ(b.lanes<uint32_t>(53, 8), (std::vector<uint32_t>{1, 1, 1, 0, 0, 0, 0, 0})) << m->name;
    EXPECT_EQ(b.lanes<uint32_t>(3, 8), (std::vector<uint32_t>{1, 1, 1, 0, 0, 0, 0, 0}));
    EXPECT_EQ(b.lanes<uint32_t>(4, 8), (std::vector<uint32_t>{1, 1, 1, 1, 1, 1, 1, 1}));
    EXPECT_EQ(b.thread.flag[0], 7u);
  }
}

// EX-11: what is not an exception. With every exception enabled these still do not enter the routine.
TEST(Exceptions, EX11_NotExceptions) {
  const uint32_t all = enable(Exception::software) | enable(Exception::breakpoint) | enable(Exception::illegal_opcode);
  for (const isa::Model* m : generations) {
    for (const char* program : {"mov (8|M0) r2.0<1>:d r[a0.0]<8;8,1>:d", "mov (8|M0) r[a0.0]<1>:d 1:d"}) {
      Routine b(*m, all);
      b.thread.a0[0] = 8192;
      b.run_with(std::string(count_entry) + clear_status + leave, program);
      EXPECT_EQ(b.status, Status::faulted) << program;
      EXPECT_EQ(b.get<uint32_t>(51, 0), 0u);
    }
    Routine b(*m, all);
    for (int n = 0; n < 8; ++n) b.set(2, n, 0x1.0p127f), b.set(3, n, INT32_MAX);
    b.run_with(std::string(count_entry) + clear_status + leave,
               "mul (8|M0) r4.0<1>:f r2.0<8;8,1>:f r2.0<8;8,1>:f\n"
               "add (8|M0) r5.0<1>:d r3.0<8;8,1>:d r3.0<8;8,1>:d");
    EXPECT_EQ(b.status, Status::ended);
    EXPECT_EQ(b.get<uint32_t>(51, 0), 0u);
  }
}

// T42, mended: the status bits are cr0.3:uw, lzd takes a dword, the table is one of jumps. What saves registers to
// scratch memory is left out; the scratch offset is computed as the document does, EUID * 4 + TID blocks.
TEST(Exceptions, T42_EX06_SystemRoutineWithJumpTable) {
  for (const isa::Model* m : generations) {
    Routine b(*m, enable(Exception::software) | enable(Exception::illegal_opcode));
    constexpr uint32_t eu = 5, tid = 2;
    b.thread.sr[0] = eu << 8 | tid;
    std::string routine =
        "(W) shr (1|M0) r0.4<1>:ud sr0.0<0;1,0>:uw 6:uw\n"
        "(W) add (1|M0) r0.4<1>:ud r0.4<0;1,0>:ud sr0.0<0;1,0>:ub\n"
        "(W) shl (1|M0) r0.4<1>:ud r0.4<0;1,0>:ud 14:uw\n"
        "(W) mov (1|M0) r1.0<1>:uw f0.0<0;1,0>:uw\n"
        "NEXT: (W) cmp (1|M0) (eq)f0.0 null<1>:uw cr0.3<0;1,0>:uw 0:uw {Switch}\n"
        "(W&f0.0) jmpi EXIT\n"
        "(W) mov (1|M0) r1.1<1>:ud cr0.3<0;1,0>:uw {Switch}\n"
        "(W) shl (1|M0) r1.1<1>:ud r1.1<0;1,0>:ud 16:uw\n"
        "(W) lzd (1|M0) r1.1<1>:ud r1.1<0;1,0>:ud\n";
    routine += fmt::format("(W) mul (1|M0) r1.2<1>:d r1.1<0;1,0>:d {}:w\n(W) jmpi r1.2<0;1,0>:d\n", 16 / m->jump_unit);
    for (int n = 0; n < 4; ++n) routine += fmt::format("(W) jmpi SERVICE_{}\n", n);
    for (int n = 0; n < 4; ++n) {
      routine += fmt::format(
          "SERVICE_{}: (W) and (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud {:#x}:ud {{Switch}}\n"
          "(W) add (1|M0) r2.{}<1>:ud r2.{}<0;1,0>:ud 1:ud\n",
          n, ~(0x80000000u >> n), n, n);
      if (n == 3) routine += skip_instruction;
      routine += "(W) jmpi NEXT\n";
    }
    routine += "EXIT: (W) mov (1|M0) f0.0<1>:uw r1.0<0;1,0>:uw\n";
    routine += leave;
    b.thread.flag[0] = 0xA5;
    raise(b.thread, Exception::external_halt);
    b.run_with(routine,
               "illegal\n"
               "(W) or (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0x20000000:ud {Switch}\n"
               "illegal\n"
               "mov (8|M0) r3.0<1>:ud 7:ud");
    EXPECT_EQ(b.status, Status::ended) << (b.fault ? b.fault->reason : "");
    EXPECT_EQ(b.get<uint32_t>(0, 4), (eu * 4 + tid) * 16384) << m->name;
    EXPECT_EQ(b.lanes<uint32_t>(2, 4), (std::vector<uint32_t>{0, 1, 1, 2}))
        << "no breakpoint, one halt, one software exception, two illegal opcodes";
    EXPECT_EQ(b.thread.flag[0], 0xA5u);
    EXPECT_EQ(b.get<uint32_t>(3, 0), 7u);
  }
}

// T43, EX-12: clearing the scoreboard writes to every register under a false predicate: nothing changes.
TEST(Exceptions, T43_EX12_ClearingTheScoreboardChangesNoRegister) {
  for (const isa::Model* m : generations) {
    Bench b(*m, 0xFFFF);
    for (int r = 0; r < grf_count; ++r)
      for (int n = 0; n < 8; ++n) b.set<uint32_t>(r, n, uint32_t(r * 8 + n + 1));
    b.thread.flag[0] = ~0u;
    const auto before = b.thread.grf;
    std::string text = "(W) mov (1|M0) f0.0<1>:ud 0:ud\n";
    for (int r = 0; r < grf_count; ++r) text += fmt::format("(f0.0) mov (8|M0) r{}.0<1>:ud 0:ud {{NoDDChk}}\n", r);
    b.run(text);
    EXPECT_EQ(b.status, Status::ended);
    EXPECT_TRUE(b.thread.grf == before) << m->name;
  }
}

}  // namespace
}  // namespace vitro::eu
