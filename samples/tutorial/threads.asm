// Threads: each has registers of its own and knows its number (r1.0) and its group's (r1.1). The Message Gateway writes
// into the registers of other threads and lets a group meet. Each thread hands ten times its number to the next thread
// of its group, four to a group, waits until all have done so, and adds what it was given.

(W)     mul (1|M0)   r10.0<1>:d   r1.0<0;1,0>:d   10:w              // what this thread has
(W)     add (1|M0)   r5.0<1>:d    r1.0<0;1,0>:d   1:w               // the next of the group: its two low bits
(W)     and (1|M0)   r5.0<1>:d    r5.0<0;1,0>:d   3:d
(W)     and (1|M0)   r6.0<1>:d    r1.0<0;1,0>:d   -4:d
(W)     or (1|M0)    r5.0<1>:d    r5.0<0;1,0>:d   r6.0<0;1,0>:d

(W)     mov (8|M0)   r3.0<1>:d    0:w
(W)     mov (1|M0)   r3.0<1>:d    r10.0<0;1,0>:d                    // M0.0: the data
(W)     shr (1|M0)   r6.0<1>:ud   r5.0<0;1,0>:ud  3:ud              // M0.4: the EU of the receiver, eight threads to one,
(W)     shl (1|M0)   r6.0<1>:ud   r6.0<0;1,0>:ud  24:ud
(W)     and (1|M0)   r7.0<1>:ud   r5.0<0;1,0>:ud  7:ud              //       and its place there
(W)     shl (1|M0)   r7.0<1>:ud   r7.0<0;1,0>:ud  16:ud
(W)     or (1|M0)    r3.4<1>:ud   r6.0<0;1,0>:ud  r7.0<0;1,0>:ud
(W)     mov (1|M0)   r3.5<1>:ud   0x02800200:ud                     // M0.5: a dword for its r20
(W)     send (8|M0)  null  r3  0x3  0x02000002                      // ForwardMsg

(W)     mov (8|M0)   r4.0<1>:d    0:w                               // barrier 0 of the group
(W)     send (8|M0)  null  r4  0x3  0x02000004                      // BarrierMsg: here I am
(W)     wait n0.0<0;1,0>:ud                                         // and sleep until everybody is

(W)     add (1|M0)   r11.0<1>:d   r10.0<0;1,0>:d  r20.0<0;1,0>:d
(W)     send (8|M0)  null  r127  0x27  0x02000010 {EOT}
