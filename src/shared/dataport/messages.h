// What the data port messages do: one function for each, that the tables of the generations name. PRM: Gen8 vol 2a,
// the MSD_* formats named here. Only the files of the data ports include this.
#pragma once

#include "shared/dataport/call.h"

namespace vitro::shared {

// --- scattered.cpp: each slot has an offset of its own
eu::Reply dword_scattered_read(DataPortCall&);   // also of the constant cache
eu::Reply dword_scattered_write(DataPortCall&);  // MSD0W_DWS
eu::Reply byte_scattered_read(DataPortCall&);    // MSD0R_BS
eu::Reply byte_scattered_write(DataPortCall&);   // MSD0W_BS
eu::Reply qword_scattered_read(DataPortCall&);
eu::Reply qword_scattered_write(DataPortCall&);
eu::Reply a64_byte_scattered_read(DataPortCall&);
eu::Reply a64_byte_scattered_write(DataPortCall&);   // MSD1W_A64_BS
eu::Reply a64_dword_scattered_read(DataPortCall&);   // MSD1R_A64_DWS
eu::Reply a64_dword_scattered_write(DataPortCall&);  // MSD1W_A64_DWS
eu::Reply a64_qword_scattered_read(DataPortCall&);
eu::Reply a64_qword_scattered_write(DataPortCall&);  // MSD1W_A64_QWS
eu::Reply untyped_read(DataPortCall&);
eu::Reply untyped_write(DataPortCall&);      // MSD1W_US
eu::Reply a64_untyped_read(DataPortCall&);   // MSD1R_A64_US
eu::Reply a64_untyped_write(DataPortCall&);  // MSD1W_A64_US

// --- block.cpp: the message has an offset
eu::Reply oword_block_read(DataPortCall&);            // MSD0R_OWB, MSD_CC_OWB
eu::Reply oword_block_write(DataPortCall&);           // MSD0W_OWB
eu::Reply unaligned_oword_block_read(DataPortCall&);  // MSD0R_OWUB, MSD_CC_OWUB
eu::Reply oword_dual_block_read(DataPortCall&);
eu::Reply oword_dual_block_write(DataPortCall&);          // MSD0W_OWDB
eu::Reply scratch_block_read(DataPortCall&);              // MSD0R_HWB
eu::Reply scratch_block_write(DataPortCall&);             // MSD0W_HWB
eu::Reply a64_oword_block_read(DataPortCall&);            // MSD1R_A64_OWB
eu::Reply a64_oword_block_write(DataPortCall&);           // MSD1W_A64_OWB
eu::Reply a64_unaligned_oword_block_read(DataPortCall&);  // MSD1R_A64_OWUB
eu::Reply a64_oword_dual_block_read(DataPortCall&);       // MSD1R_A64_OWDB
eu::Reply a64_oword_dual_block_write(DataPortCall&);      // MSD1W_A64_OWDB
eu::Reply a64_hword_block_read(DataPortCall&);            // MSD1R_A64_HWB
eu::Reply a64_hword_block_write(DataPortCall&);           // MSD1W_A64_HWB
eu::Reply memory_fence(DataPortCall&);                    // MSD_MEMFENCE

// --- atomic.cpp
eu::Reply untyped_atomic(DataPortCall&);
eu::Reply untyped_atomic_4x2(DataPortCall&);    // MSD1*_DWAI*_4x2
eu::Reply atomic_counter(DataPortCall&);        // MSD1*_DWAC*
eu::Reply atomic_counter_4x2(DataPortCall&);    // MSD1*_DWAC*_4x2
eu::Reply a64_dword_atomic(DataPortCall&);      // MSD1*_A64_DWAI*
eu::Reply a64_qword_atomic(DataPortCall&);      // MSD1*_A64_QWAI*
eu::Reply a64_dword_atomic_4x2(DataPortCall&);  // MSD1*_A64_DWAI*_4x2
eu::Reply a64_qword_atomic_4x2(DataPortCall&);  // MSD1*_A64_QWAI*_4x2
eu::Reply untyped_float_atomic(DataPortCall&);
eu::Reply untyped_float_atomic_4x2(DataPortCall&);
eu::Reply a64_float_atomic(DataPortCall&);
eu::Reply a64_float_atomic_4x2(DataPortCall&);

// --- media.cpp: rectangles of a surface
eu::Reply media_block_read(DataPortCall&);   // MSD1R_MB
eu::Reply media_block_write(DataPortCall&);  // MSD1W_MB
eu::Reply transpose_read(DataPortCall&);     // MSD1R_TT
eu::Reply read_surface_info(DataPortCall&);
eu::Reply streamed_vertex_buffer_write(DataPortCall&);

// --- render_target.cpp
eu::Reply render_target_write(DataPortCall&);  // MSD_RTW_*
eu::Reply render_target_read(DataPortCall&);

// Messages whose payload no document describes.
eu::Reply undescribed(DataPortCall&);

// --- transfer.cpp: those of them that are transfers, and what they do
namespace transfer {
eu::Transfer dword_scattered_read(const DataPortLayout&, uint32_t desc);
eu::Transfer dword_scattered_write(const DataPortLayout&, uint32_t desc);
eu::Transfer byte_scattered_read(const DataPortLayout&, uint32_t desc);
eu::Transfer byte_scattered_write(const DataPortLayout&, uint32_t desc);
eu::Transfer qword_scattered_read(const DataPortLayout&, uint32_t desc);
eu::Transfer qword_scattered_write(const DataPortLayout&, uint32_t desc);
eu::Transfer a64_byte_scattered_read(const DataPortLayout&, uint32_t desc);
eu::Transfer a64_byte_scattered_write(const DataPortLayout&, uint32_t desc);
eu::Transfer a64_dword_scattered_read(const DataPortLayout&, uint32_t desc);
eu::Transfer a64_dword_scattered_write(const DataPortLayout&, uint32_t desc);
eu::Transfer a64_qword_scattered_read(const DataPortLayout&, uint32_t desc);
eu::Transfer a64_qword_scattered_write(const DataPortLayout&, uint32_t desc);
eu::Transfer untyped_read(const DataPortLayout&, uint32_t desc);
eu::Transfer untyped_write(const DataPortLayout&, uint32_t desc);
eu::Transfer a64_untyped_read(const DataPortLayout&, uint32_t desc);
eu::Transfer a64_untyped_write(const DataPortLayout&, uint32_t desc);
eu::Transfer untyped_atomic(const DataPortLayout&, uint32_t desc);
eu::Transfer untyped_float_atomic(const DataPortLayout&, uint32_t desc);
eu::Transfer a64_dword_atomic(const DataPortLayout&, uint32_t desc);
eu::Transfer a64_qword_atomic(const DataPortLayout&, uint32_t desc);
eu::Transfer a64_float_atomic(const DataPortLayout&, uint32_t desc);
eu::Transfer oword_block_read(const DataPortLayout&, uint32_t desc);
eu::Transfer oword_block_write(const DataPortLayout&, uint32_t desc);
eu::Transfer unaligned_oword_block_read(const DataPortLayout&, uint32_t desc);
eu::Transfer scratch_block_read(const DataPortLayout&, uint32_t desc);
eu::Transfer scratch_block_write(const DataPortLayout&, uint32_t desc);
eu::Transfer a64_oword_block_read(const DataPortLayout&, uint32_t desc);
eu::Transfer a64_oword_block_write(const DataPortLayout&, uint32_t desc);
eu::Transfer a64_unaligned_oword_block_read(const DataPortLayout&, uint32_t desc);
eu::Transfer a64_hword_block_read(const DataPortLayout&, uint32_t desc);
eu::Transfer a64_hword_block_write(const DataPortLayout&, uint32_t desc);
eu::Transfer memory_fence(const DataPortLayout&, uint32_t desc);
}  // namespace transfer

}  // namespace vitro::shared
