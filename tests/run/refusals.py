"""Programs that cannot be run on the emulated GPU are refused with a clear message and an exit code, and so are wrong
command lines."""

import os
import shutil
import struct
import subprocess

import running


class Refusals(running.Case):
    def expect(self, code, words, *command):
        done = running.run(*command)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(words, done.stderr)

    def test_missing(self):
        self.expect(127, "no such program", "no-such-program-anywhere")
        self.expect(127, "no such program", "./no/such/program")

    def test_not_runnable(self):
        file = self.folder() / "file"
        file.write_text("text")
        self.expect(126, "cannot be run", file)
        self.expect(126, "cannot be run", file.parent)

    def test_static(self):
        folder = self.folder()
        (folder / "static.c").write_text("int main(void) { return 0; }\n")
        for flags in (["-static"], ["-static-pie"]):
            subprocess.run(["cc", *flags, "-o", folder / "static", folder / "static.c"], check=True)
            self.expect(2, "is statically linked", folder / "static")
        script = folder / "script"
        script.write_text(f"#!{folder}/static\n")
        script.chmod(0o755)
        self.expect(2, "is statically linked", script)

    def test_other_processors(self):
        # The header of a 32-bit program says enough; it is not run.
        file = self.folder() / "old"
        header = b"\x7fELF" + bytes([1, 1, 1]) + bytes(9) + struct.pack("<HHI", 2, 3, 1)
        file.write_bytes(header + bytes(200))
        file.chmod(0o755)
        self.expect(2, "32-bit", file)

    def test_setuid(self):
        if os.geteuid() != 0:
            self.skipTest("only root can make a program of somebody else's")
        program = self.folder() / "true"
        shutil.copy(shutil.which("true"), program)
        os.chown(program, 65534, 65534)
        program.chmod(0o4755)
        self.expect(2, "is setuid", program)
        program.chmod(0o755)
        self.assertEqual(running.run(program).returncode, 0)

    def test_wrong_command_lines(self):
        for words in (["--device", "xyz", "--", "true"], [], ["--"], ["--frobnicate", "true"], ["--stats=xml", "true"],
                      ["--threads", "0", "true"]):
            done = subprocess.run([running.VITRO, "run", *words], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2, words)
            self.assertTrue(done.stderr, words)

    def test_arguments_are_the_programs(self):
        for mark in (["--"], []):
            done = subprocess.run([running.VITRO, "run", "-d", "bdw", *mark, "echo", "--device", "x", "--", "-t"],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.stdout, "--device x -- -t\n", done.stderr)


if __name__ == "__main__":
    running.main()
