// The Unified Return Buffer: memory through which threads and fixed functions hand data to each other, and the shared
// function (SFID 6) by which threads reach it. PRM: Gen6 vol 4 part 2 chapter 2 (URB-01..URB-21); Gen8 vol 2a MSD_UW_*
// and MSD_UR_*. The fixed functions that own entries stand in a later floor: here is what they plug in, an UrbOwner for
// each fixed function ID.
// Not modelled: the order of writes of different threads (a message is carried out at once, so a write commit before
// the end of a thread has nothing to wait for, URB-03), and WM_STATE's transposed reads, which are the reader's
// business.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/bits.h"
#include "base/result.h"
#include "eu/message.h"

namespace vitro::shared {

inline constexpr uint8_t urb_sfid = 6;

// URB-01; later parts carve it out of the L3, in the size its configuration says.
inline constexpr uint32_t urb_bytes_gen6_gt1 = 1024 * 32, urb_bytes_gen6_gt2 = 2048 * 32;

struct UrbCall;

// One generation's URB.
struct UrbLayout {
  const isa::MessageTables& messages;
  uint8_t handle_dw;  // dwords per unit of a handle
};
// What a message of an action does; an action of isa/actions.def without one does not compile.
template <isa::MessageAction action>
eu::Reply act(UrbCall&) = delete;
#define URB_ACTION(name, ...) \
  template <>                 \
  eu::Reply act<isa::MessageAction::name>(UrbCall&);
#include "isa/actions.def"

extern const UrbLayout urb_gen6;  // URB_WRITE and FF_SYNC
extern const UrbLayout urb_gen8;  // Gen8 and Gen9: OWord and HWord blocks, SIMD8, atomics

// --- what the owner of a thread sees

// The counts an FF_SYNC reports (URB-20). Clipper threads fill only the handle count; which fields mean something is
// for the fixed function to know.
struct FfSync {
  uint16_t gs_prims_generated, so_verts_to_write, so_prims_needed;
};

struct UrbHandle {
  uint16_t handle = 0, id = 0;
  bool operator==(const UrbHandle&) const = default;
};

// A message as the fixed function that made the thread snoops it (URB-04, URB-05, URB-10).
struct UrbSnoop {
  bool complete = false;              // the thread writes no more to these entries
  bool used = true;                   // with complete: false gives them back without output
  bool allocate = false;              // another entry is wanted
  bool eot = false;                   //
  bool composite_check_pass = false;  // strips and fans only, with eot
  bool wants_reply = false;           // there is a register for the writeback
  uint8_t fftid = 0;                  // as the header gives it; 0 where the message has no such header
  uint8_t prim_type = 0;              // of the vertex at the first handle, with complete; as are start and end
  bool prim_start = false, prim_end = false;
  uint16_t so_prims_written = 0;
  std::array<UrbHandle, 8> handles{};
  uint8_t handle_count = 0;
  std::optional<FfSync> ff_sync{};
};

// What the thread gets back: a new entry, and for an FF_SYNC the streamed vertex buffer indices (URB-14, URB-21).
struct UrbGrant {
  UrbHandle entry{};
  std::array<uint32_t, 4> svbi{};
};

// A fixed function's side. Threads run on several host threads: an owner locks what it shares.
struct UrbOwner {
  // Once for every write, and for every end of a thread, after the data is in place.
  void (*snoop)(void* context, eu::Thread& sender, const UrbSnoop&) = nullptr;
  // After the snoop of a message that waits for an answer (Allocate, FF_SYNC with a response), until it says true;
  // until then the thread waits.
  bool (*grant)(void* context, eu::Thread& sender, const UrbSnoop&, UrbGrant&) = nullptr;
  // How many entries the thread has been given and not completed; null: not known, and what needs it is not checked.
  unsigned (*open_entries)(void* context, const eu::Thread& sender) = nullptr;
  bool may_end = true;       // its threads may end with a URB message: vertex, geometry and hull shaders, ... (URB-03)
  bool may_discard = false;  // its threads may clear Used: geometry shader and clipper (URB-04)
  void* context = nullptr;
};

// --- the memory

struct Urb {
  const UrbLayout& layout;
  std::vector<uint32_t> dwords;
  std::vector<uint32_t> entry_dw;            // by handle: the length of the entry that starts there; 0 if none is known
  std::array<UrbOwner, 16> owners{};         // by the fixed function ID in the thread's sr0.0
  std::vector<const eu::Thread*> waiting{};  // threads whose message was carried out and waits for its answer
  std::mutex waiting_lock{};

  Urb(const UrbLayout& layout, uint32_t bytes);

  uint32_t bytes() const { return uint32_t(dwords.size() * 4); }
  // From a handle on, up to the end of its entry; of the whole URB if no entry is known to start there. Empty if the
  // handle lies outside.
  std::span<uint32_t> entry(uint32_t handle);
  // Puts the URB behind functions[urb_sfid].
  eu::SharedFunction function();
  // For a thread that is taken away while it waits; the function does so when it hears that a thread is gone.
  void forget(const eu::Thread&);
};

// Entries of one size, one after the other, handle = number, that belong to the host thread which runs the threads: the
// vertices of a chunk of the 3D pipeline. Nobody snoops and nothing locks. Accesses that do not lie inside an entry do
// nothing, and read as zero.
struct UrbEntries {
  // Where they stand. Compiled code looks here for each of its messages.
  struct Row {
    uint32_t* at = nullptr;
    uint32_t entry_dw = 0;  // the size of an entry
    uint32_t count = 0;
  };
  const UrbLayout& layout;
  Row written{};  // where writes go, with room for one more entry, which nobody reads; and reads too unless...
  Row read{};     // ...they have entries of their own: a vertex shader's input
  std::array<uint32_t, 256> nowhere{};  // more than a message can hold

  explicit UrbEntries(const UrbLayout& l) : layout(l) {}
  uint32_t* window(uint32_t handle, uint64_t offset_dw, uint32_t count, bool reads);
  // Puts the entries behind functions[urb_sfid].
  eu::SharedFunction function();
};

// --- which messages are valid (T46)

enum class UrbValidity : uint8_t {
  valid,
  if_all_complete,  // every entry of the thread is complete, and no Allocate is outstanding
  invalid,
};
UrbValidity urb_write_validity(bool complete, bool used, bool allocate, bool eot);

}  // namespace vitro::shared
