// Memory: messages to the data ports read and write it. Each thread knows its number (r1.0); its eight channels stand for
// eight elements of an array of dwords at 0x1000. Each channel stores the square of its element's number and adds it to
// a total at 0x2000, where all channels of all threads meet: the addition has to be atomic.

        mov (8|M0)   r2.0<1>:uw   0x76543210:uv                     // 0, 1, 2, ... 7
(W)     shl (1|M0)   r3.0<1>:d    r1.0<0;1,0>:d   3:w               // eight elements to a thread
        add (8|M0)   r4.0<1>:d    r2.0<8;8,1>:uw  r3.0<0;1,0>:d     // the element
        mul (8|M0)   r5.0<1>:d    r4.0<8;8,1>:d   r4.0<8;8,1>:d     // its square

        add (8|M0)   r6.0<1>:d    r4.0<8;8,1>:d   0x400:d           // offsets count dwords: 0x1000 / 4
        mov (8|M0)   r7.0<1>:d    r5.0<8;8,1>:d                     // the data follow the offsets
        send (8|M0)  null  r6  0xA  0x0402C2FF                      // dword scattered write, stateless

        mov (8|M0)   r10.0<1>:q   0x2000:d                          // eight addresses of 64 bits: r10 and r11
        mov (8|M0)   r12.0<1>:d   r5.0<8;8,1>:d
        send (8|M0)  null  r10  0xC  0x060487FF                     // untyped atomic add, 64-bit addresses

(W)     send (8|M0)  null  r127  0x27  0x02000010 {EOT}
