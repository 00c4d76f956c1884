// Sandy Bridge (Gen6), SIMD8: each lane adds four floats, scaled: sum += value * scale.
//
// In:   r2..r5  the values, one register for each of the four rows
//       r6.0    scale, a float
// Out:  surface 0, from offset 0: the 8 sums

        mov (8|M0)               r10.0<1>:f    0.0:f                             // sum = 0
        mad (8|M0)               r10.0<1>:f    r10.0<2;1>:f      r2.0<2;1>:f     r6.0<0>:f
        mad (8|M0)               r10.0<1>:f    r10.0<2;1>:f      r3.0<2;1>:f     r6.0<0>:f
        mad (8|M0)               r10.0<1>:f    r10.0<2;1>:f      r4.0<2;1>:f     r6.0<0>:f
        mad (8|M0)               r10.0<1>:f    r10.0<2;1>:f      r5.0<2;1>:f     r6.0<0>:f

// Gen6 takes messages from the message registers: header in m1, data in m2.
(W)     mov (8|M0)               m1.0<1>:ud    r0.0<8;8,1>:ud
(W)     mov (1|M0)               m1.2<1>:ud    0x0:ud                            // offset in the surface
        add (8|M0)               m2.0<1>:f     r10.0<8;8,1>:f    0.0:f
(W)     send (8|M0)              null     m1      0x5            0x04090200      // OWord block write, 2 OWords

(W)     send (8|M0)              null     m1      0x27           0x02000010 {EOT}
