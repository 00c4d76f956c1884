"""piglit's profile `gpu`: the names and commands of its tests, running some of them on llvmpipe (in a virtual X server) or
on the emulated GPU (through GBM), and the lists of this folder."""

import contextlib
import os
import pathlib
import re
import subprocess
import tempfile

from results import Worthless

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SAMPLE, EXCEPTIONS, HARDWARE = HERE / "sample-gl.txt", HERE / "exceptions-gl.txt", HERE / "hardware-failures-gl.txt"
LEFT_OUT = HERE / "left-out-gl.txt"
PIGLIT = pathlib.Path("/usr/lib/x86_64-linux-gnu/piglit")


def commands():
    """{test: its command line}"""
    done = subprocess.run(["piglit", "print-cmd", "gpu"], capture_output=True, text=True, check=True)
    pairs = (line.split(" ::: ") for line in done.stdout.splitlines() if " ::: " in line)
    return {pair[0]: pair[1] for pair in pairs}


def group(name):
    """Of what a sample takes some each: the extension or version, or the folder."""
    parts = name.split("@")
    return "@".join(parts[:2]) if parts[0] == "spec" else parts[0]


def read_lines(file):
    return [line for line in file.read_text(encoding="utf-8").splitlines() if line.strip() and not line.startswith("#")]


def read_sample(part=False):
    """The tests of the sample. Those that ./test runs have a plus before their name."""
    lines = read_lines(SAMPLE)
    return [line.removeprefix("+ ") for line in lines if not part or line.startswith("+ ")]


@contextlib.contextmanager
def x_server():
    """The name of the display of a virtual X server."""
    read, write = os.pipe()
    with subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1024x768x24"], pass_fds=[write],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        os.close(write)
        number = os.read(read, 16).decode().strip()
        os.close(read)
        try:
            if not number:
                raise Worthless("Xvfb did not start")
            yield f":{number}"
        finally:
            server.terminate()


def run_piglit(folder, tests, options, platform, prefix=(), environment=None):
    """Runs the named tests; what they gave stands in the folder afterwards."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as names:
        names.write("".join(f"{name}\n" for name in tests))
        names.flush()
        # piglit runs all tests one at a time where it sees no device node, and the nodes are vitro's.
        command = ["piglit", "run", "--overwrite", "--all-concurrent", "--platform", platform, "--jobs", str(options.jobs),
                   "--timeout", str(options.timeout), "--test-list", names.name, "gpu", str(folder.resolve())]
        # Without wflinfo piglit would skip tests for want of a version that it did not find out.
        how = {"PIGLIT_COMPRESSION": "none", "PIGLIT_NO_FAST_SKIP": "1"}
        subprocess.run([*prefix, *command], check=True, env=os.environ | how | (environment or {}))


def run_on_llvmpipe(folder, tests, options):
    with x_server() as display:
        run_piglit(folder, tests, options, "x11_egl", environment={"DISPLAY": display, "LIBGL_ALWAYS_SOFTWARE": "1"})


def vitro(options, *more):
    return [options.vitro, "run", "--device", options.device, *more, "--"]


def check_renderer(options):
    """GBM must give the Intel driver, or nothing that follows says anything about the GPU."""
    done = subprocess.run([*vitro(options), "eglinfo"], capture_output=True, text=True, check=False)
    gbm = done.stdout.partition("GBM platform:")[2].partition("platform:")[0]
    names = re.findall(r"EGL driver name: *(\S+)", gbm)
    if not names or not set(names) <= {"iris", "crocus"}:
        raise Worthless(f"GBM gives {names or 'no driver'}, and not Intel's")


def add_options(parser):
    parser.add_argument("--device", default="kbl")
    parser.add_argument("--vitro", default=str(ROOT / "build/release/vitro"), help="the program to run with")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=int, default=120, help="seconds for one test")
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "build/piglit-gl")
