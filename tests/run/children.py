"""Programs that a program starts see the same GPU, also when they are handed an empty environment; those that cannot are
named on standard error. Exit codes, signals and output streams stay the program's own."""

import json
import os
import re
import signal
import subprocess

import running


class Children(running.Case):
    def test_vfork_and_exec(self):
        self.assertEqual(self.client("vfork", "open", device="bdw"), "chipset 1616\n" * 2)

    def test_a_cleaned_environment_changes_nothing(self):
        for step in ("spawn-clean", "exec-clean"):
            self.assertEqual(self.client(step, device="apl"), "chipset 5a84\n", step)
        self.assertEqual(self.client("system-clean", device="snb"), "chipset 0126\n")

    def test_env_i(self):
        done = running.run("env", "-i", running.CLIENT, "open", device="bdw")
        self.assertEqual((done.returncode, done.stdout), (0, "chipset 1616\n"), done.stderr)

    def test_a_run_within_a_run_has_its_own_device(self):
        done = running.run(running.VITRO, "run", "--device", "bdw", "--", running.CLIENT, "open", device="kbl")
        self.assertEqual((done.returncode, done.stdout), (0, "chipset 1616\n"), done.stderr)

    def test_exit_codes_and_signals_are_the_programs(self):
        self.assertEqual(running.run("sh", "-c", "exit 42").returncode, 42)
        self.assertEqual(running.run("sh", "-c", "kill -TERM $$").returncode, -signal.SIGTERM)

    def test_the_process_is_the_same(self):
        process = subprocess.Popen([running.VITRO, "run", "--", "sh", "-c", "echo $$"], stdout=subprocess.PIPE, text=True)
        self.assertEqual(int(process.communicate()[0]), process.pid)

    def test_inherited_descriptors_and_ignored_signals_stay(self):
        read, write = os.pipe()
        done = running.run("sh", "-c", f"echo through >&{write}; trap", pass_fds=[write])
        os.close(write)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(os.read(read, 100), b"through\n")
        os.close(read)

    def test_statistics_of_each_process_that_submitted(self):
        def batches(*steps, options=("--stats=json",)):
            done = running.run(running.CLIENT, *steps, options=options)
            self.assertEqual(done.returncode, 0, done.stderr)
            reports = [json.loads("{" + text) for text in ("\n" + done.stderr).split("\n{")[1:]]
            return [report["commands"]["MI_BATCH_BUFFER_END"] for report in reports]

        self.assertEqual(batches("open"), [])
        self.assertEqual(batches("open", "submit", "submit"), [2])
        self.assertEqual(batches("open", "submit-in-child"), [1])
        self.assertEqual(batches("open", "submit", "submit", "submit-in-child"), [1, 2])
        file = self.folder() / "statistics"
        self.assertEqual(batches("open", "submit", options=["--stats-file", file]), [])
        self.assertIn("MI_BATCH_BUFFER_END", file.read_text())

    def test_traces(self):
        def lines(topics):
            done = running.run(running.CLIENT, "open", "submit", options=["--trace", topics])
            self.assertEqual(done.returncode, 0, done.stderr)
            return [line.removeprefix("vitro: ") for line in done.stderr.splitlines()]

        requests = lines("ioctls")
        self.assertTrue(all(re.fullmatch(r"ioctl \d+ [A-Z0-9_]+( \w+=[-x\da-f]+)*: (0|E[A-Z0-9]+)", r) for r in requests),
                        requests)
        self.assertEqual(sum(" I915_GEM_EXECBUFFER2 buffer_count=1 " in r for r in requests), 1, requests)
        both = lines("ioctls,batches")
        self.assertEqual(sum(line.startswith("ioctl ") for line in both), len(requests))
        self.assertEqual(sum(line.startswith("batch at ") for line in both), 2)
        wrong = running.run(running.CLIENT, "open", options=["--trace", "ioctl"])
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("there are ioctls, batches, commands, draws, eu and all", wrong.stderr)

    def test_a_static_child_is_named(self):
        folder = self.folder()
        source = folder / "static.c"
        source.write_text("int main(void) { return 5; }\n")
        program = folder / "static"
        subprocess.run(["cc", "-static", "-o", program, source], check=True)
        done = running.run("sh", "-c", f"{program}; echo $?")
        self.assertEqual(done.stdout, "5\n")
        self.assertIn("static is statically linked", done.stderr)
        self.assertEqual(running.run("true").stderr, "")


if __name__ == "__main__":
    running.main()
