// Regions: a source names a start, and how to step through the register file: <vertical stride; width, horizontal
// stride>, counted in elements. r2 and r3 hold the numbers 0 to 15.

        mov (8|M0)   r10.0<1>:d   r2.0<8;8,1>:d     // eight in a row
        mov (8|M0)   r11.0<1>:d   r2.3<0;1,0>:d     // one for all channels
        mov (8|M0)   r12.0<1>:d   r2.0<8;4,2>:d     // every second: two rows of four
        mov (8|M0)   r13.0<1>:d   r2.0<1;4,2>:d     // rows of four that overlap: a sliding window
        mov (4|M0)   r14.0<2>:d   r2.4<4;4,1>:d     // the destination has a stride too
(W)     send (8|M0)  null  r127  0x27  0x02000010 {EOT}
