#!/usr/bin/env python3
"""vISA both ways on what Intel's compiler dumps: the kernels of tests/corpus are compiled with its dumps on, each text
goes through our reader, checker and writers (round_trip), and GenX_IR compiles our binary object to the very bytes that it makes of
the text, and prints our text from it.

    dumps.py ROUND_TRIP OUT [--samples] [--device NAME]... [--mode NAME]... [--source NAME]... [--every N]

With --samples the same with our samples of instructions (src/visa/samples.h) for Gen9 only. All of bdw, kbl, opt, noopt and all sources by default; --every N shows only every Nth kernel to GenX_IR. OUT is made anew
but for dumps that are newer than their source. Debian packages: intel-opencl-icd (ocloc), libigc-tools (GenX_IR).
Exit status: 0 all the same, 1 something differs, 2 wrong usage or no compiler.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

CORPUS = pathlib.Path(__file__).resolve().parents[1] / "corpus"
MODES = {"opt": "", "noopt": "-cl-opt-disable"}
PLATFORM = {"bdw": "BDW", "kbl": "SKL"}
JOBS = 2
LIMIT_S = 120  # it does not end on everything


def dump(source, device, mode, folder):
    """Compiles a source with dumps; returns the compiler's words if it failed."""
    done_mark = folder / "done"
    if done_mark.exists() and done_mark.stat().st_mtime > source.stat().st_mtime:
        return None
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    mark = "// options:"
    wanted = [line[len(mark):].strip() for line in source.read_text().splitlines() if line.startswith(mark)]
    command = ["ocloc", "compile", "-file", str(source), "-device", device, "-out_dir", str(folder), "-output", "out",
               "-output_no_suffix", "-options", " ".join(filter(None, [*wanted, MODES[mode]])) or " "]
    environment = dict(os.environ, IGC_ShaderDumpEnable="1", IGC_DumpToCustomDir=f"{folder}/")
    run = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, errors="replace")
    for file in folder.iterdir():
        if file.suffix != ".visaasm" or ".inline." in file.name:
            file.unlink()
    if run.returncode != 0 or not any(folder.iterdir()):
        return f"{source.name} for {device} ({mode}):\n{run.stdout.strip()}"
    done_mark.touch()
    return None


def without_labels(text):
    """Labels are renumbered when GenX_IR reads an object, and so are the names of subroutines; addresses, predicates,
    numbers of instructions and comments are not compared either."""
    lines = []
    for line in text.splitlines():
        line = re.sub(r"/// \$\d+", "", line).strip().removesuffix(".")  # it prints "fence_local."
        if not line or line.startswith("//"):
            continue
        if re.match(r"^[\w$@?-]+:$", line) or line.startswith(".function"):
            line = "LABEL"
        lines.append(re.sub(r"^((?:\(.*?\) )?(?:goto|jmp|call) \(.*?\)) \S+$", r"\1 LABEL", line))
    return lines


def run_genx(folder, file, *options):
    try:
        return subprocess.run(["GenX_IR", file, *options], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", timeout=LIMIT_S).stdout
    except subprocess.TimeoutExpired:
        return ""


def code_of(folder, platform, file):
    run_genx(folder, file, "-platform", platform, "-binary", "-output")
    return [path.read_bytes() for path in sorted(folder.iterdir()) if path.name.endswith(".dat")]


def compare(name, folder, platform):
    """What GenX_IR makes of text and object, or only what the file `judged` says; None if the same."""
    judged = (folder / "judged").read_text().split() if (folder / "judged").exists() else ["code", "print"]
    text = (folder / "text/k.visaasm").read_text()
    again = folder / "again"
    again.mkdir()
    shutil.copy(folder / "bytes/k.isa", again)
    if "code" in judged:
        from_text = code_of(folder / "text", platform, "k.visaasm")
        from_bytes = code_of(folder / "bytes", platform, "k.isa")
        if not from_text:
            return f"{name}: GenX_IR makes no code of the text"
        if from_text != from_bytes:
            return f"{name}: GenX_IR makes other code of the object"
    if "print" not in judged:
        shutil.rmtree(folder)
        return None
    run_genx(again, "k.isa", "-platform", platform, "-dumpcommonisa")
    printed = [path.read_text() for path in sorted(again.iterdir()) if path.name.endswith(".visaasm")]
    if text.count(".global_function") == 0 and (len(printed) != 1 or without_labels(printed[0]) != without_labels(text)):
        pairs = zip(without_labels(printed[0]) if printed else [], without_labels(text))
        first = next((f"\n  {a}\n  {b}" for a, b in pairs if a != b), "")
        return f"{name}: GenX_IR prints another text from the object{first}"
    shutil.rmtree(folder)
    return None


def compare_samples(round_trip, work):
    shutil.rmtree(work, ignore_errors=True)
    ours = subprocess.run([round_trip, str(work), "--samples"], capture_output=True, text=True)
    print(ours.stdout.strip())
    folders = sorted(work.iterdir(), key=lambda path: int(path.name)) if work.is_dir() else []
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        failures = [text for text in pool.map(lambda f: compare(f"samples {f.name}", f, "SKL"), folders) if text]
    for text in failures:
        print(text)
    print(f"{len(folders)} kernels through GenX_IR, {len(failures)} failures")
    return 1 if failures or ours.returncode != 0 or not folders else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("round_trip")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--device", action="append", choices=PLATFORM)
    parser.add_argument("--mode", action="append", choices=MODES)
    parser.add_argument("--source", action="append")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--samples", action="store_true")
    options = parser.parse_args()
    for program in ("ocloc", "GenX_IR"):
        if not shutil.which(program):
            print(f"dumps: no {program} found", file=sys.stderr)
            return 2
    out = options.out.resolve()
    if options.samples:
        return compare_samples(options.round_trip, out / "samples")
    sources = [s for s in sorted(CORPUS.glob("*.cl")) if not options.source or s.stem in options.source]
    jobs = [(source, device, mode, out / "dumps" / device / mode / source.stem)
            for device in options.device or PLATFORM for mode in options.mode or MODES for source in sources]
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        failures = [text for text in pool.map(lambda job: dump(*job), jobs) if text]
    compared = 0
    for device in options.device or PLATFORM:
        kernels = [str(path) for _, dev, _, folder in jobs if dev == device and folder.is_dir()
                   for path in sorted(folder.glob("*.visaasm")) if not re.search(r"_f\d+\.visaasm$", path.name)]
        work = out / "work" / device
        shutil.rmtree(work, ignore_errors=True)
        ours = subprocess.run([options.round_trip, str(work), device, *kernels], capture_output=True, text=True)
        print(f"{device}: {ours.stdout.strip()}", flush=True)
        if ours.returncode != 0:
            failures.append(f"{device}: round_trip failed {ours.stderr}")
        chosen = [n for n in range(0, len(kernels), options.every) if (work / str(n)).is_dir()]
        compared += len(chosen)
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            verdicts = pool.map(lambda n: compare(kernels[n], work / str(n), PLATFORM[device]), chosen)
            failures += [text for text in verdicts if text]
    for text in failures[:40]:
        print(text)
    print(f"{compared} kernels through GenX_IR, {len(failures)} failures")
    return 1 if failures or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
