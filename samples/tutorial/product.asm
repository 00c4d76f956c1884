// Accumulators: 32 times 32 bits make 64, and only the accumulator is that wide. mul leaves the product of src0 and the
// low half of src1 there, mach adds the high half's and gives the upper dword; the lower one stays behind in acc0.

        mul (8|M0)   acc0.0<1>:d   r2.0<8;8,1>:d   r3.0<16;8,2>:uw
        mach (8|M0)  r11.0<1>:d    r2.0<8;8,1>:d   r3.0<8;8,1>:d   {AccWrEn}
        mov (8|M0)   r10.0<1>:d    acc0.0<8;8,1>:d
(W)     send (8|M0)  null  r127  0x27  0x02000010 {EOT}
