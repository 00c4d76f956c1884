"""Programs that were built with a sanitizer, by gcc and by clang: they run on the emulated GPU, the sanitizer finds their
mistakes and nothing else, and what they start is loaded as it would be without vitro."""

import functools
import json
import os
import pathlib
import subprocess
import tempfile

import running

HERE = pathlib.Path(__file__).parent
SANITIZERS = ("address", "thread", "undefined", "leak")
# What Intel's OpenCL runtime needs: sanitizers refuse libraries that are opened with RTLD_DEEPBIND.
NO_DEEP_BINDING = {"NEOReadDebugKeys": "1", "DisableDeepBind": "1"}
INTEL_ONLY = {"OCL_ICD_VENDORS": "/etc/OpenCL/vendors/intel.icd"}
FOLDER = tempfile.TemporaryDirectory()


@functools.cache
def built(source, compiler, sanitizer, *flags):
    """The path of a program, or None where the compiler has no such sanitizer or its programs do not run here."""
    program = pathlib.Path(FOLDER.name) / f"{source}-{compiler}-{sanitizer}{len(flags)}"
    with tempfile.NamedTemporaryFile("w", suffix=".c", dir=FOLDER.name) as probe:
        probe.write("int main(void) { return 0; }\n")
        probe.flush()
        command = [compiler, f"-fsanitize={sanitizer}", *flags]
        try:
            subprocess.run([*command, "-o", program, probe.name], check=True, capture_output=True)
            subprocess.run([program], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            return None
    subprocess.run([*command, "-g", "-o", program, HERE / source, "-lpthread", "-lOpenCL"], check=True)
    return program


class Sanitizers(running.Case):
    def each(self, source, check, *sanitizers):
        """Calls check(sanitizer, program) for every build of a program."""
        for sanitizer in sanitizers or SANITIZERS:
            for compiler in ("gcc", "clang"):
                with self.subTest(compiler=compiler, sanitizer=sanitizer):
                    program = built(source, compiler, sanitizer)
                    if not program:
                        self.skipTest(f"{compiler} makes no programs with -fsanitize={sanitizer} that run here")
                    check(sanitizer, program)

    def quiet(self, *command, variables=(), **how):
        """The output of a program that ends well without a word on standard error."""
        done = running.run(*command, env=os.environ | dict(variables), **how)
        self.assertEqual((done.returncode, done.stderr), (0, ""), command)
        return done.stdout

    def test_the_device_works_and_nothing_is_reported(self):
        def check(_, program):
            statistics = self.folder() / "statistics"
            out = self.quiet(program, "none", options=["--stats=json", "--stats-file", statistics])
            self.assertEqual(out, "the device works\n")
            self.assertEqual(json.loads(statistics.read_text())["commands"]["MI_STORE_DATA_IMM"], 1)

        self.each("mistakes.c", check)

    def test_names_descriptors_and_waiting(self):
        def check(_, program):
            self.quiet(program, "open", "status", "walk", "dup", "create", "fill", "fork", "export", "inherit", "send",
                       "transfer", "read-device", "poll", "check", "submit")

        self.each("client.c", check)

    def test_mistakes_are_found(self):
        expected = {"address": ("overflow", 1, "heap-buffer-overflow"), "leak": ("leak", 23, "1000 byte(s) leaked"),
                    "thread": ("race", 66, "data race"), "undefined": ("shift", 0, "shift exponent")}

        def check(sanitizer, program):
            mistake, code, words = expected[sanitizer]
            done = running.run(program, mistake)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn("the device works", done.stdout)
            self.assertIn(words, done.stderr)

        self.each("mistakes.c", check)

    def test_leaks_of_the_program_and_of_nobody_else(self):
        def check(_, program):
            done = running.run(program, "leak")
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("1000 byte(s) leaked in 1 allocation(s)", done.stderr)

        self.each("mistakes.c", check, "address")

    def test_a_run_time_in_a_library_of_clang(self):
        folder = subprocess.run(["clang", "-print-runtime-dir"], capture_output=True, text=True, check=False)
        program = folder.returncode == 0 and built("mistakes.c", "clang", "address", "-shared-libasan",
                                                   f"-Wl,-rpath,{folder.stdout.strip()}")
        if not program:
            self.skipTest("clang makes no programs with -shared-libasan that run here")
        self.assertEqual(self.quiet(program), "the device works\n")

    def test_children_in_every_way(self):
        def check(_, program):
            for step in ("vfork", "spawn-clean", "exec-clean"):
                self.assertEqual(self.quiet(program, step), "chipset 5916\n", step)
            self.quiet(program, "system-clean")
            self.assertEqual(self.quiet("env", program, "open"), "chipset 5916\n")
            self.assertEqual(self.quiet("sh", "-c", f"{program} open; true"), "chipset 5916\n")
            script = self.folder() / "script"
            script.write_text(f"#!{program}\n")
            script.chmod(0o755)
            done = running.run("sh", "-c", f"{script}; true")  # the program takes the script's name for a step
            self.assertIn("client: no step", done.stderr)

        self.each("client.c", check, "address", "thread")

    def test_a_sanitizer_is_loaded_only_where_it_was_linked(self):
        folder = self.folder()
        (folder / "shell.c").write_text('#include <stdlib.h>\nint main(void) { return system("grep -c asan /proc/self/maps"); }')
        program = folder / "shell"
        subprocess.run(["gcc", "-fsanitize=address", "-o", program, folder / "shell.c"], check=True)
        self.assertEqual(running.run(program).stdout, "0\n")
        self.assertEqual(running.run("sh", "-c", f"{program}; true").stdout, "0\n")

    def test_a_sanitizer_that_the_user_preloads_stays_in_front_and_is_inherited(self):
        asan = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
        library = os.path.realpath(asan.stdout.strip())
        variables = {"LD_PRELOAD": library, "ASAN_OPTIONS": "detect_leaks=0"}
        out = self.quiet("sh", "-c", "env; test -e /dev/dri/renderD128 && echo there", variables=variables)
        lists = [line for line in out.splitlines() if line.startswith("LD_PRELOAD=")]
        self.assertEqual(len(lists), 1)
        self.assertTrue(lists[0].startswith(f"LD_PRELOAD={library}:"), lists)
        self.assertIn("libvitro_preload.so", lists[0])
        self.assertIn("there", out)

    def test_opencl(self):
        def check(_, program):
            done = running.run(program, "Intel", env=os.environ | INTEL_ONLY)
            self.assertIn("RTLD_DEEPBIND", done.stderr)  # what docs/running.md says about it
            has_jit = (pathlib.Path(running.VITRO).parent / "libvitro_jit.so").exists()
            for jit in ("on", "off") if has_jit else ("off",):
                out = self.quiet(program, "Intel", "3", variables=INTEL_ONLY | NO_DEEP_BINDING,
                                 options=["--jit", jit, "--jit-cache=off"])
                self.assertEqual(out, "4096 sums, 0 wrong\n")

        self.each("adder.c", check, "address", "thread")

    def test_vulkan(self):
        folder = self.folder()
        system = HERE.parent / "system" / "vulkan"
        shader = system / "shaders" / "floats.comp"
        subprocess.run(["glslangValidator", "-V", shader, "-o", folder / "shader.spv"], check=True, capture_output=True)
        program = folder / "runner"
        subprocess.run(["g++", "-std=c++20", "-fsanitize=address", "-o", program, system / "runner.cpp", "-lvulkan"], check=True)
        # It ends without destroying what it made.
        self.quiet(program, "Intel", shader, folder / "shader.spv", folder / "result",
                   variables={"ASAN_OPTIONS": "detect_leaks=0"})
        self.assertGreater((folder / "result").stat().st_size, 1000)


if __name__ == "__main__":
    running.main()
