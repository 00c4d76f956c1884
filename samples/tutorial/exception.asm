// Exceptions: cr0.1 enables them. An enabled one leaves the program for the system routine at SIP; cr0.2 (AIP) keeps the
// place to come back to, and clearing bit 31 of cr0.0 goes there. This routine counts the illegal instructions it meets
// in r20 and steps over them.

(W)     mov (1|M0)   r20.0<1>:ud  0:ud
(W)     or (1|M0)    cr0.1<1>:ud  cr0.1<0;1,0>:ud  0x1000:ud  {Switch}  // enable: illegal opcode
        mov (8|M0)   r10.0<1>:d   1:w
        illegal
        add (8|M0)   r10.0<1>:d   r10.0<8;8,1>:d   1:w
        illegal
        add (8|M0)   r10.0<1>:d   r10.0<8;8,1>:d   1:w
(W)     send (8|M0)  null  r127  0x27  0x02000010 {EOT}

system_routine:
(W)     add (1|M0)   r20.0<1>:ud  r20.0<0;1,0>:ud  1:ud
(W)     add (1|M0)   cr0.2<1>:ud  cr0.2<0;1,0>:ud  16:ud  {Switch}  // past the culprit
(W)     and (1|M0)   cr0.1<1>:ud  cr0.1<0;1,0>:ud  0xEFFFFFFF:ud  {Switch}  // it is dealt with
(W)     and (1|M0)   cr0.0<1>:ud  cr0.0<0;1,0>:ud  0x7FFFFFFF:ud  {Switch}  // and back
