// Flags: a comparison leaves one bit per channel, and later instructions run for the channels whose bit is set.
// r2 is cut off at 0 from below with a predicate, at 10 from above with sel; then: is any channel, are all above 5?

        mov (8|M0)               r10.0<1>:f   r2.0<8;8,1>:f
        cmp (8|M0)   (lt)f0.0    null<1>:f    r2.0<8;8,1>:f    0.0:f
(f0.0)  mov (8|M0)               r10.0<1>:f   0.0:f
        sel (8|M0)   (lt)f0.0    r10.0<1>:f   r10.0<8;8,1>:f   10.0:f    // min: sel compares and leaves the flag alone
        cmp (8|M0)   (gt)f0.1    r11.0<1>:f   r10.0<8;8,1>:f   5.0:f     // all ones where true
        mov (8|M0)               r12.0<1>:d   0:w
        mov (8|M0)               r13.0<1>:d   0:w
(f0.1.any8h) mov (8|M0)          r12.0<1>:d   1:w
(f0.1.all8h) mov (8|M0)          r13.0<1>:d   1:w
(W)     send (8|M0)  null  r127  0x27  0x02000010 {EOT}
