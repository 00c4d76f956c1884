#!/usr/bin/env python3
"""Manual pages and completions tell what --help tells: every subcommand and option is in each of them, and the programs
that read them accept them."""
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

VITRO, SHARE = "", pathlib.Path()


def output_of(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=True, **more).stdout


def subcommands():
    block = output_of(VITRO, "--help").partition("Subcommands:\n")[2]
    return re.findall(r"^  (\S+)", block, re.MULTILINE)


def options(*command):
    """Every name of every option, as --help lists them."""
    block = output_of(VITRO, *command, "--help").partition("Options:\n")[2]
    names = re.findall(r"^  (-\S+)", block, re.MULTILINE)
    return [re.sub(r"[\[{=].*", "", name) for line in names for name in line.split(",")]


def shown(page):
    """A manual page as text without line ends."""
    run = subprocess.run(["groff", "-man", "-Tascii", "-ww", "-P-c", "-P-b", "-P-u", str(page)], capture_output=True,
                         text=True, check=True)
    if run.stderr:
        raise AssertionError(f"{page}: {run.stderr}")
    return run.stdout


class Pages(unittest.TestCase):
    def test_help_lists_what_is_tested(self):
        self.assertEqual(set(subcommands()),
                         {"run", "doctor", "devices", "asm", "disasm", "decode", "exec", "replay", "visa"})
        self.assertIn("--jit-dump", options("run"))
        self.assertIn("-d", options("run"))

    def test_help_shows_what_is_typed(self):
        for name in subcommands():
            text = output_of(VITRO, name, "--help")
            self.assertNotIn("->", text, name)
            self.assertTrue(text.replace("\n", "").isprintable(), name)
        self.assertIn("--engine TEXT:{render,blitter,video,vebox}", output_of(VITRO, "decode", "--help"))
        done = subprocess.run([VITRO, "decode", "--engine", "steam", "-"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("{render,blitter,video,vebox}", done.stderr)

    def test_run_knows_the_subcommands(self):
        script = (pathlib.Path(__file__).resolve().parents[2] / "run").read_text()
        self.assertEqual(re.search(r"^subcommands='(.*)'$", script, re.MULTILINE).group(1).split(), subcommands())

    def test_manual_pages(self):
        whole = shown(SHARE / "man/man1/vitro.1")
        for option in options():
            self.assertIn(option, whole)
        for name in subcommands():
            self.assertIn(f"vitro-{name}(1)", whole)
            page = shown(SHARE / f"man/man1/vitro-{name}.1")
            for option in options(name):
                self.assertRegex(page, rf"(?m)^ +(\S+, )?{option}\b", name)
            for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "SEE ALSO"):
                self.assertRegex(page, rf"(?m)^{section}$", name)
        self.assertNotIn("doctor-job", whole)

    def bash(self, *words):
        """What bash proposes for the last word."""
        script = f"source {SHARE}/bash-completion/completions/vitro\n" + r"""
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
            _vitro; printf '%s\n' "${COMPREPLY[@]}" """
        return output_of("bash", "-c", script, "bash", *words).split()

    def test_bash(self):
        self.assertEqual(self.bash("vitro", ""), [*subcommands(), *options()])
        for name in subcommands():
            self.assertEqual(self.bash("vitro", name, "-"), options(name))
        self.assertEqual(self.bash("vitro", "run", "--dev"), ["--device"])
        self.assertEqual(self.bash("vitro", "run", "--device", ""), ["snb", "bdw", "kbl", "apl"])
        self.assertEqual(self.bash("vitro", "asm", "-g", "k"), ["kbl"])
        self.assertEqual(self.bash("vitro", "run", "--jit", "=", "o"), ["off", "on"])
        self.assertEqual(self.bash("vitro", "run", "--stats", "="), ["text", "json"])
        self.assertIn("bash", self.bash("vitro", "run", "--stats", "bas"))
        self.assertIn("bash", self.bash("vitro", "run", "--device", "bdw", "--", "bas"))
        self.assertEqual(self.bash("vitro", "run", "clinfo", "-"), [])  # the program's words are not ours
        self.assertEqual(self.bash("vitro", "disasm", "--input", ""), ["raw", "hex", "device"])

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh(self):
        path = SHARE / "zsh/vendor-completions/_vitro"
        output_of("zsh", "-n", str(path))
        text = path.read_text()
        for name in subcommands():
            self.assertIn(f"'{name}:", text)
            part = text.partition(f"        {name})\n")[2].partition(";;")[0]
            for option in options(name):
                self.assertRegex(part, rf"'{option}[+=\-]*\[", name)

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish(self):
        path = SHARE / "fish/vendor_completions.d/vitro.fish"

        def proposed(line):
            text = output_of("fish", "--no-config", "-c", f"source {path}; complete -C '{line}'")
            return [entry.split("\t")[0] for entry in text.splitlines()]

        self.assertEqual(set(proposed("vitro ")), set(subcommands()))
        for name in subcommands():
            self.assertLessEqual({o for o in options(name) if o.startswith("--")}, set(proposed(f"vitro {name} --")))
        self.assertEqual(set(proposed("vitro run --device ")), {"snb", "bdw", "kbl", "apl"})


if __name__ == "__main__":
    VITRO, SHARE = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
    unittest.main()
