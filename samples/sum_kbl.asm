// Kaby Lake (Gen9), SIMD8: each lane adds up one column of a matrix of floats, scaled: sum += value * scale.
//
// In:   r1    lane numbers 0..7, as words
//       r2.0  number of rows, an integer (at least 1)
//       r2.1  scale, a float
//       surface 0: the matrix, 8 floats (32 bytes) per row
// Out:  surface 1: the 8 sums

        mov (8|M0)               r4.0<1>:f     0.0:f                             // sum = 0
        shl (8|M0)               r5.0<1>:d     r1.0<8;8,1>:uw    2:w             // byte offset of the lane's column
        mov (8|M0)               r6.0<1>:d     r5.0<8;8,1>:d                     // ... walks down the rows
(W)     mov (1|M0)               r3.0<1>:d     r2.0<0;1,0>:d                     // rows left

row:
        send (8|M0)              r7:f     r6      0xC            0x02106E00      // untyped surface read, 1 dword per lane
        add (8|M0)               r6.0<1>:d     r6.0<8;8,1>:d     32:w
        mad (8|M0)               r4.0<1>:f     r4.0<2;1>:f       r7.0<2;1>:f     r2.1<0>:f
(W)     add (1|M0)    (gt)f0.0   r3.0<1>:d     r3.0<0;1,0>:d     -1:w
(W&f0.0) jmpi                                row

// Gen9 can split a message: addresses from r5, data from r4, nothing needs to be moved together.
        sends (8|M0)             null:f   r5      r4      0x4C           0x02026E01  // untyped surface write

(W)     mov (8|M0)               r127.0<1>:ud  r0.0<8;8,1>:ud                    // the last message carries the header
(W)     send (8|M0)              null     r127    0x27           0x02000010 {EOT}
