"""What ./run shows is true. Each sample assembles; where iga64 knows the generation it makes the same bytes of it; the
disassembly assembles to these bytes again; and the transcript in README.md is what the program prints today.

Usage: demonstration.py VITRO [--self-test | --write]; --write puts today's transcript into README.md.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import house

SHOWN = "kbl"
# The platform numbers of iga64, which does not know Gen6.
SAMPLES = {"snb": None, "bdw": "8", "kbl": "9"}
BLOCK = re.compile(r"(<!-- transcript: begin[^\n]*-->\n)(.*?)(<!-- transcript: end -->)", re.DOTALL)


def output_of(*command):
    run = subprocess.run(command, capture_output=True, check=False)
    if run.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: exit code {run.returncode}\n{run.stderr.decode()}")
    return run.stdout


def assemble(vitro, generation, source, folder):
    binary = pathlib.Path(folder) / f"{generation}.bin"
    output_of(vitro, "asm", "-g", generation, "--no-compact", str(source), "-o", str(binary))
    return binary


def transcript(vitro, folder):
    """The README's block: compiled as ./run does it, without the blanks at the ends of lines."""
    sample = f"sum_{SHOWN}"
    binary = pathlib.Path(folder) / f"{sample}.bin"
    output_of(vitro, "asm", "-g", SHOWN, str(house.ROOT / "samples" / f"{sample}.asm"), "-o", str(binary))
    text = output_of(vitro, "disasm", "-g", SHOWN, "--offsets", str(binary)).decode()
    lines = [f"$ ./run asm -g {SHOWN} samples/{sample}.asm -o out/{sample}.bin",
             f"$ ./run disasm -g {SHOWN} --offsets out/{sample}.bin"] + text.splitlines()
    return "```\n" + "".join(line.rstrip() + "\n" for line in lines) + "```\n"


def check_readme(readme, expected):
    block = BLOCK.search(readme)
    if not block:
        yield "README.md: no transcript block"
    elif block.group(2) != expected:
        yield ("README.md: the transcript is stale; renew it with: "
               "python3 tests/house/demonstration.py build/release/vitro --write")


def check_sample(vitro, generation, iga_platform, source, folder):
    binary = assemble(vitro, generation, source, folder)
    if iga_platform:
        theirs = pathlib.Path(folder) / "iga.bin"
        output_of("iga64", "-a", f"-p={iga_platform}", str(source), "-o", str(theirs))
        if theirs.read_bytes() != binary.read_bytes():
            yield f"{source}: iga64 makes other bytes of it"
    ours = binary.read_bytes()
    again = pathlib.Path(folder) / "again.asm"
    again.write_bytes(output_of(vitro, "disasm", "-g", generation, str(binary)))
    if assemble(vitro, generation, again, folder).read_bytes() != ours:
        yield f"{source}: its disassembly assembles to other bytes"


def check(vitro, readme, samples):
    with tempfile.TemporaryDirectory() as folder:
        try:
            for generation, iga_platform in SAMPLES.items():
                yield from check_sample(vitro, generation, iga_platform, samples / f"sum_{generation}.asm", folder)
            yield from check_readme(readme, transcript(vitro, folder))
        except (OSError, RuntimeError) as error:
            yield str(error)


def self_test(vitro):
    """A changed transcript, a missing one, a sample with a mistake and a program that fails must all be found."""
    readme = "<!-- transcript: begin -->\nx\n<!-- transcript: end -->\n"
    if list(check_readme(readme, "x\n")):
        yield "a true transcript is rejected"
    if not list(check_readme(readme, "y\n")) or not list(check_readme("", "x\n")):
        yield "a stale or missing transcript is accepted"
    if not list(check("false", readme, house.ROOT / "samples")):
        yield "a program that fails is accepted"
    with tempfile.TemporaryDirectory() as folder:
        for generation in SAMPLES:
            (pathlib.Path(folder) / f"sum_{generation}.asm").write_text("        moo (8|M0) r1.0<1>:f r2.0<8;8,1>:f\n")
        if not any("exit code 1" in problem for problem in check(vitro, readme, pathlib.Path(folder))):
            yield "a sample with a mistake is accepted"


def main():
    arguments = sys.argv[1:]
    if len(arguments) not in (1, 2) or arguments[1:] not in ([], ["--self-test"], ["--write"]):
        sys.exit(__doc__)
    vitro = arguments[0]
    path = house.ROOT / "README.md"
    readme = path.read_text(encoding="utf-8")
    if arguments[1:] == ["--write"]:
        with tempfile.TemporaryDirectory() as folder:
            shown = transcript(vitro, folder)
        path.write_text(BLOCK.sub(lambda m: m.group(1) + shown + m.group(3), readme), encoding="utf-8")
        return
    problems = list(self_test(vitro) if arguments[1:] else check(vitro, readme, house.ROOT / "samples"))
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
