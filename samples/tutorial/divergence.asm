// Masks: eight channels go through one program, and a branch parks those that do not take it until it ends.
// Each channel n of r2 walks the Collatz sequence to 1 and counts its steps in r10.

        mov (8|M0)   r10.0<1>:d   0:w
        mov (8|M0)   r3.0<1>:d    r2.0<8;8,1>:d
again:
        cmp (8|M0)   (eq)f0.0   null<1>:d   r3.0<8;8,1>:d   1:w
(f0.0)  break (8|M0) next   next
        and (8|M0)   (ne)f0.1   null<1>:d   r3.0<8;8,1>:d   1:w
(f0.1)  if (8|M0)    even   done
        mul (8|M0)   r3.0<1>:d    r3.0<8;8,1>:d   3:w       // odd: 3 n + 1
        add (8|M0)   r3.0<1>:d    r3.0<8;8,1>:d   1:w
        else (8|M0)  done   done
even:
        asr (8|M0)   r3.0<1>:d    r3.0<8;8,1>:d   1:w       // even: n / 2
done:
        endif (8|M0) next
        add (8|M0)   r10.0<1>:d   r10.0<8;8,1>:d  1:w
next:
        while (8|M0) again
(W)     send (8|M0)  null  r127  0x27  0x02000010 {EOT}
