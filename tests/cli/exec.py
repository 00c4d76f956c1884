#!/usr/bin/env python3
"""Runs programs with `vitro exec` and checks registers, traces, faults and exit codes."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

VITRO = ""
END = "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n"
END_SNB = "(W) send (8|M0) null m1 0x27 0x02000010 {EOT}\n"


def execute(*args, device="kbl", text=""):
    return subprocess.run([VITRO, "exec", "-g", device, "-", *map(str, args)], input=text.encode(), capture_output=True,
                          check=False)


def lines(run):
    return run.stdout.decode().splitlines()


class Registers(unittest.TestCase):
    def test_values_in_and_out(self):
        for device, end in (("snb", END_SNB), ("bdw", END), ("kbl", END), ("apl", END)):
            run = execute("--grf", "r2=1,-2,0x10:d", "--grf", "r3.1=0.5,-0.1:f", "--dump", "r2-r3:d,r3:f", device=device,
                          text="add (8|M0) r2.0<1>:d r2.0<8;8,1>:d 1:w\n" + end)
            self.assertEqual((run.returncode, run.stderr), (0, b""), device)
            self.assertEqual([line.split() for line in lines(run)],
                             [["r2:d", "2", "-1", "17", "1", "1", "1", "1", "1"],
                              ["r3:d", "0", "1056964608", str(0xBDCCCCCD - (1 << 32)), "0", "0", "0", "0", "0"],
                              ["r3:f", "0.0", "0.5", "-0.1", "0.0", "0.0", "0.0", "0.0", "0.0"]])

    def test_every_type_goes_in_and_out(self):
        values = {"ub": "255", "b": "-128", "uw": "65535", "w": "-1", "ud": "4294967295", "d": "-5",
                  "uq": "18446744073709551615", "q": "-9", "hf": "0.375", "f": "1e-45", "df": "0.1"}
        for name, value in values.items():
            run = execute("--grf", f"r5.1={value}:{name}", "--dump", f"r5:{name}", text=END)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual(float(run.stdout.split()[2]), float(value), name)
        run = execute("--grf", "r5=inf,-inf,nan,0x3F800000:f", "--dump", "r5:f", text=END)
        self.assertEqual(run.stdout.split()[1:5], [b"inf", b"-inf", b"nan", b"1.0"])

    def test_compiled_or_interpreted(self):
        text = "add (8|M0) r3.0<1>:f r2.0<8;8,1>:f 1.5:f\nmul (8|M0) r3.0<1>:f r3.0<8;8,1>:f r3.0<8;8,1>:f\n" + END
        runs = [execute("--jit", jit, "--grf", "r2=1,nan,-inf,0x7F800001:f", "--dump", "r3", text=text)
                for jit in ("off", "on")]
        self.assertEqual(runs[0].returncode, 0, runs[0].stderr)
        if b"without the JIT" not in runs[1].stderr:
            self.assertEqual(runs[1].returncode, 0, runs[1].stderr)
            self.assertEqual(runs[0].stdout, runs[1].stdout)

    def test_a_file_of_words(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "words.hex"
            file.write_text("00000001 00000002 // two dwords\nFF\n")
            run = execute("--grf", f"r4=@{file}", "--dump", "r4", text=END)
        self.assertEqual(run.stdout.split()[:4], [b"r4", b"0x00000001", b"0x00000002", b"0x000000FF"])

    def test_architecture_registers(self):
        run = execute("--channels", "0xFF", "--dump", "f0,f1,acc0:d,a0,sr0,ce", text=(
            "(W) mov (1|M0) a0.1<1>:uw 64:uw\n"
            "cmp (8|M0) (eq)f1.0 null<1>:d r2.0<8;8,1>:d 0:w\n"
            "mov (8|M0) acc0.0<1>:d -7:w\n") + END)
        self.assertEqual((run.returncode, run.stderr), (0, b""))
        shown = {line.split()[0]: line.split()[1:] for line in lines(run)}
        self.assertEqual(shown["f0"], ["0x00000000"])
        self.assertEqual(shown["f1"], ["0x000000FF"])
        self.assertEqual(shown["acc0:d"], ["-7"] * 8)
        self.assertEqual(shown["a0"], ["0x0000", "0x0040"] + ["0x0000"] * 14)
        self.assertEqual(shown["sr0"][2:], ["0x000000FF", "0x000000FF"])
        self.assertEqual(shown["ce"], ["0x000000FF"])

    def test_channels_limit_what_is_written(self):
        run = execute("--channels", "0x0A", "--dump", "r1:d", text="mov (8|M0) r1.0<1>:d 9:w\n" + END)
        self.assertEqual(run.stdout.split()[1:], [b"0", b"9", b"0", b"9", b"0", b"0", b"0", b"0"])


class Programs(unittest.TestCase):
    def test_machine_code_runs_like_text(self):
        text = "mov (8|M0) r1.0<1>:f 1.5:f\n" + END
        with tempfile.TemporaryDirectory() as folder:
            code = pathlib.Path(folder) / "a.bin"
            subprocess.run([VITRO, "asm", "-g", "kbl", "-", "-o", code], input=text.encode(), check=True)
            words = pathlib.Path(folder) / "a.hex"
            words.write_text(" ".join(f"{b:02X}" for b in code.read_bytes()))
            for file in (code, words):
                run = subprocess.run([VITRO, "exec", "-g", "kbl", file, "--dump", "r1:f"], capture_output=True, check=False)
                self.assertEqual((run.returncode, run.stdout.split()[1:]), (0, [b"1.5"] * 8))

    def test_system_routine_by_label_and_offset(self):
        text = ("(W) or (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0x1000:ud {Switch}\nillegal\nhandler:\n"
                "(W) mov (1|M0) r9.0<1>:d 77:w\n" + END)
        for sip in ("handler", "32", "0x20"):
            run = execute("--sip", sip, "--dump", "r9:d", text=text)
            self.assertEqual((run.returncode, run.stdout.split()[1]), (0, b"77"), run.stderr)
        self.assertEqual(execute("--sip", "nowhere", text=text).returncode, 2)

    def test_faults_name_instruction_place_and_reason(self):
        run = execute(text="nop\nmov (8|M0) r1.0<1>:d r[a0.0,-4]<8;8,1>:d\n" + END)
        self.assertEqual(run.returncode, 1)
        self.assertIn(b"fault at 0010: mov (8|M0) r1.0<1>:d r[a0.0,-4]<8;8,1>:d: ", run.stderr)
        run = execute("--dump", "r1:d", text="mov (8|M0) r1.0<1>:d 3:w\n")
        self.assertEqual(run.returncode, 1)
        self.assertIn(b"fault at 0010: the program ran off its end", run.stderr)
        self.assertEqual(run.stdout.split()[1], b"3")  # the state is shown all the same
        run = execute(text="send (8|M0) r2:d r4 0x8 0x02106E00\n" + END)
        self.assertIn(b"message to an absent shared function (SFID 8)", run.stderr)

    def test_limit_and_wait(self):
        run = execute("--limit", 1000, text="forever: nop\n(W) jmpi forever\n")
        self.assertEqual(run.returncode, 1)
        self.assertIn(b"1000 instructions", run.stderr)
        run = execute(text="wait n0.0<0;1,0>:ud\n" + END)
        self.assertEqual(run.returncode, 1)
        self.assertIn(b"at 0000: wait n0.0", run.stderr)
        self.assertIn(b"which will not come", run.stderr)

    def test_wrong_command_lines_exit_2(self):
        for args in (["--grf", "r2"], ["--grf", "r2=x:d"], ["--grf", "r2=300:ub"], ["--grf", "r2=1:xx"],
                     ["--grf", "r128=1:d"], ["--grf", "r127.7=1,2:d"], ["--grf", "m2=1:d"], ["--grf", "a0=1:uw"],
                     ["--dump", "q1"], ["--dump", "r3-r1"], ["--dump", "r3:zz"], ["--dump", "a0-f0"]):
            run = execute(*args, text=END)
            self.assertEqual(run.returncode, 2, args)
            self.assertTrue(run.stderr, args)
        self.assertEqual(execute(device="xyz", text=END).returncode, 2)

    def test_bad_text_exits_1_and_absent_files_3(self):
        self.assertEqual(execute(text="moo\n").returncode, 1)
        run = subprocess.run([VITRO, "exec", "-g", "kbl", "/no/such/file"], capture_output=True, check=False)
        self.assertEqual(run.returncode, 3)


class Threads(unittest.TestCase):
    BARRIER = "(W) send (8|M0) null r4 0x3 0x02000004\n(W) wait n0.0<0;1,0>:ud\n"

    def test_threads_have_numbers_and_meet_at_barriers(self):
        run = execute("--threads", 6, "--group", 3, "--number", "r2", "--dump", "r2:d", "--json", text=self.BARRIER * 3 + END)
        self.assertEqual(run.returncode, 0, run.stderr)
        threads = json.loads(run.stdout)["threads"]
        self.assertEqual([t["registers"]["r2:d"][:2] for t in threads], [[n, n // 3] for n in range(6)])

    def test_a_barrier_that_one_thread_leaves_out_is_a_deadlock(self):
        run = execute("--threads", 2, "--number", "r2", text=(
            "(W) cmp (1|M0) (eq)f0.0 null<1>:d r2.0<0;1,0>:d 0:w\n(W&f0.0) jmpi out\n" + self.BARRIER + "out:\n" + END))
        self.assertEqual(run.returncode, 1)
        self.assertIn(b"thread 1: at 0030: (W) wait n0.0", run.stderr)
        self.assertNotIn(b"thread 0", run.stderr)

    def test_wrong_numbers_exit_2(self):
        for args in (["--threads", 0], ["--threads", 129], ["--group", 0], ["--number", "f0"], ["--number", "r2-r3"]):
            self.assertEqual(execute(*args, text=END).returncode, 2, args)


class Memory(unittest.TestCase):
    # Dword scattered messages to stateless memory; offsets are dwords.
    READ, WRITE = "send (8|M0) r10:d r2 0xA 0x0210C2FF\n", "send (8|M0) null r2 0xA 0x0402C2FF\n"
    READ_SNB, WRITE_SNB = "send (8|M0) r10:d m2 0x5 0x0210C2FF\n", "send (8|M0) null m2 0x5 0x040162FF\n"

    def test_files_and_zeros(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "data"
            file.write_bytes(bytes(range(64)))
            for device in ("bdw", "kbl", "apl"):
                run = execute("--mem", f"0x1000={file}", "--grf", "r2=0x400,0x402,0x40F,0x400,0x400,0x400,0x400,0x400:ud",
                              "--dump", "r10", device=device, text=self.READ + END)
                self.assertEqual((run.returncode, run.stderr), (0, b""), device)
                self.assertEqual(run.stdout.split()[1:4], [b"0x03020100", b"0x0B0A0908", b"0x3F3E3D3C"])
            # written only with :rw, and never to the file
            for how, written in (("", "03020100 07060504"), (":rw", "00000011 00000022")):
                run = execute("--mem", f"0x1000={file}{how}", "--grf", "r2=0x400,0x401:ud", "--grf", "r3=0x11,0x22:d",
                              "--channels", 3, "--dump-mem", "0x1000:8", text=self.WRITE + END)
                self.assertEqual((run.returncode, run.stderr), (0, b""))
                self.assertEqual(run.stdout.decode(), f"0x00001000 {written}\n")
            self.assertEqual(file.read_bytes(), bytes(range(64)))
        run = execute("--mem", "0x100000000=zero:64", "--dump-mem", "0x100000000:40", "--json", text=END)
        self.assertEqual(json.loads(run.stdout)["memory"], [{"address": 1 << 32, "dwords": [0] * 10}])

    def test_message_registers_of_gen6(self):
        run = execute("--mem", "0x1000=zero:64", "--grf", "m2=0x400,0x401,0x402,0x403,0x404,0x405,0x406,0x407:ud",
                      "--grf", "m3=1,2,3,4,5,6,7,8:d", "--dump-mem", "0x1000:32", "--dump", "r10:d", device="snb",
                      text=self.WRITE_SNB + self.READ_SNB + END_SNB)
        self.assertEqual((run.returncode, run.stderr), (0, b""))
        self.assertEqual(lines(run)[0].split(), ["r10:d", *"12345678"])
        self.assertEqual(lines(run)[1], "0x00001000 " + " ".join(f"{n:08X}" for n in range(1, 9)))

    def test_a_binding_table(self):
        # the table at 0x40 of the base at 0x3000; its entry 2 is the surface state at 0x80: a raw buffer of 32 bytes
        state = bytearray(256)
        state[0x48:0x4C] = (0x80).to_bytes(4, "little")
        for dword, value in ((0, 4 << 29 | 0x1FF << 18), (2, 31), (8, 0x1000)):
            state[0x80 + dword * 4:0x84 + dword * 4] = value.to_bytes(4, "little")
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "state"
            file.write_bytes(state)
            # untyped surface write of x: the last three offsets are out of bounds
            run = execute("--mem", f"0x3000={file}", "--mem", "0x1000=zero:64", "--surface-base", "0x3000",
                          "--binding-table", "0x40", "--grf", "r2=0,4,8,24,28,32,36,0x100000:ud",
                          "--grf", "r3=1,2,3,4,5,6,7,8:d", "--dump-mem", "0x1000:64",
                          text="send (8|M0) null r2 0xC 0x04026E02\n" + END)
        self.assertEqual((run.returncode, run.stderr), (0, b""))
        self.assertEqual([int(word, 16) for line in lines(run) for word in line.split()[1:]],
                         [1, 2, 3, 0, 0, 0, 4, 5] + [0] * 8)

    def test_groups_have_local_memory_of_their_own(self):
        # the first thread of a group stores its number at 0 of its local memory, then all meet and read it
        run = execute("--threads", 4, "--group", 2, "--number", "r1", "--dump", "r10:d", text=(
            "(W) mov (8|M0) r2.0<1>:d 0:w\n"
            "(W) mov (1|M0) r3.0<1>:d r1.0<0;1,0>:d\n"
            "(W) and (1|M0) (eq)f0.0 null<1>:d r1.0<0;1,0>:d 1:w\n"
            "(W) add (1|M0) r3.0<1>:d r3.0<0;1,0>:d 100:w\n"
            "(W&f0.0) send (1|M0) null r2 0xC 0x04026EFE\n"
            "(W) mov (8|M0) r4.0<1>:d 0:w\n"
            "(W) send (8|M0) null r4 0x3 0x02000004\n"
            "(W) wait n0.0<0;1,0>:ud\n"
            "(W) send (1|M0) r10:d r2 0xC 0x02106EFE\n") + END)
        self.assertEqual((run.returncode, run.stderr), (0, b""))
        self.assertEqual([line.split()[1] for line in lines(run) if line.startswith("r10")], ["100", "100", "102", "102"])

    def test_what_is_not_bound_is_a_fault(self):
        run = execute("--mem", "0x1000=zero:32", "--grf", "r2=0x400,0x408:ud", "--channels", 3, text=self.READ + END)
        self.assertEqual(run.returncode, 1)
        self.assertIn(b"dword scattered read (descriptor 0x0210c2ff): nothing is mapped at address 0x1020", run.stderr)

    def test_wrong_command_lines(self):
        for args in (["--mem", "0x1000"], ["--mem", "x=zero:4"], ["--mem", "0=zero:"], ["--mem", "0=zero:0"],
                     ["--mem", "0="], ["--dump-mem", "0x1000"], ["--dump-mem", "0:3"], ["--dump-mem", "0x1000:4"]):
            self.assertEqual(execute(*args, text=END).returncode, 2, args)
        self.assertEqual(execute("--mem", "0=/no/such/file", text=END).returncode, 3)


class Traces(unittest.TestCase):
    TEXT = ("cmp (8|M0) (lt)f0.0 null<1>:d r2.0<8;8,1>:d 2:w\n"
            "(f0.0) mov (8|M0) r3.0<1>:f -r4.0<0;1,0>:f\n") + END

    def test_text(self):
        run = execute("--channels", "0xF", "--grf", "r2=0,1,2,3:d", "--grf", "r4=2.5:f", "--trace", text=self.TEXT)
        self.assertEqual(run.returncode, 0)
        self.assertEqual(lines(run)[:7], [
            "t0 0000 [F]  cmp (8|M0) (lt)f0.0 null<1>:d r2.0<8;8,1>:d 2:w",
            "      src0     0 1 2 3 0 0 0 0",
            "      src1     2 2 2 2 2 2 2 2",
            "      f0       0x00000003",
            "t0 0010 [3]  (f0.0) mov (8|M0) r3.0<1>:f -r4.0<0;1,0>:f",
            "      src0" + "     -2.5" + " -2.5" * 7,
            "      dst      -2.5 -2.5 - - - - - -"])

    def test_json(self):
        run = execute("--channels", "0xF", "--grf", "r2=0,1,2,3:d", "--trace", "--json", "--dump", "r3:f", text=self.TEXT)
        out = json.loads(run.stdout)
        thread = out["threads"][0]
        self.assertEqual((thread["status"], thread["executed"]), ("ended", 3))
        self.assertEqual(thread["registers"]["r3:f"], [0.0] * 8)
        self.assertEqual([(t["ip"], t["channels"]) for t in out["trace"]], [(0, 15), (16, 3), (32, 255)])
        self.assertEqual(out["trace"][0]["src0"], [0, 1, 2, 3, 0, 0, 0, 0])
        self.assertEqual(out["trace"][1]["dst"][2:], [None] * 6)

    def test_a_fault_in_json_and_its_instruction_in_the_trace(self):
        run = execute("--json", "--trace", text="send (8|M0) r2:d r4 0x8 0x02106E00\n")
        out = json.loads(run.stdout)
        thread = out["threads"][0]
        self.assertEqual((run.returncode, thread["status"], thread["fault"]["ip"]), (1, "faulted", 0))
        self.assertIn("absent shared function", thread["fault"]["reason"])
        self.assertEqual(len(out["trace"]), 1)


if __name__ == "__main__":
    VITRO = sys.argv.pop(1)
    unittest.main()
