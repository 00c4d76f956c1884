"""Runs real OpenCL programs, as Debian 12 has them, on the emulated GPU through Intel's driver and on pocl, and compares
what they compute. tests/programs/run starts it after setting up and building.

    tests/programs/run [--device kbl|bdw|apl] [NAME...]

What each does, and how it is started by hand (versions of Debian 12; Intel's driver is 22.43.24595, pocl 3.1):

    hashcat      6.2.6 finds a word of five letters by its MD5 sum
                 ./run hashcat -m 0 -a 3 -D 2 8bcf602010193dddc27226eb45c7a36f '?l?l?l?l?l'
    darktable    4.2.1 develops a raw photograph (without the settings it switches OpenCL off: the CPU is faster)
                 ./run darktable-cli scene.dng out.pfm --core --conf opencl=TRUE --conf opencl_checksum=OFF -d opencl
    opencv       4.6.0, operations on pictures as UMat: blur, Canny, warps, median, histogram and others
                 OPENCV_OPENCL_DEVICE=:GPU: ./run /usr/bin/python3 tests/programs/opencv_operations.py out.npz
    ffmpeg       5.1.9 filters a video
                 ./run ffmpeg -init_hw_device 'opencl=gpu:,platform_name=Intel(R) OpenCL HD Graphics'
                   -filter_hw_device gpu -i in.mkv
                   -vf format=yuv420p,hwupload,unsharp_opencl,hwdownload,format=yuv420p out.mkv
    clblast      1.5.3 tunes its matrix product; every variant's result is compared with a reference
                 OCL_ICD_VENDORS=/etc/OpenCL/vendors/intel.icd
                   ./run clblast_tuner_xgemm -m 128 -n 128 -k 128 -fraction 4096 -runs 1

Inputs are computed. A program passes if the GPU's result is pocl's within the tolerance that is stated here beside the
comparison, if the program said that it used the device meant, and if vitro executed threads and met nothing that it does
not support. darktable and OpenCV are compared with their own code for the CPU too. Each line tells the seconds on both
and what was compared. Results, logs and the programs' caches of compiled kernels stay in build/programs; most of the
time of a first run (some five minutes on two idle cores) goes to the drivers' compilers.

Exit code: 0 all passed, 1 some failed.
"""

import argparse
import collections
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import time

import numpy

import pictures

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
VENDORS = pathlib.Path("/etc/OpenCL/vendors")
INTEL = "Intel(R) HD Graphics"


class Failed(Exception):
    """What a program did that it should not have done."""


def check(condition, text):
    if not condition:
        raise Failed(text)


def spent_by_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Side:
    """Where a program runs: a device of vitro, or pocl. Every run has a log, runs on the GPU have statistics."""

    def __init__(self, name, results, part, prefix=()):
        self.name, self.folder, self.prefix = name, results / part / name, prefix
        self.beside = lambda name: Side(name, results, part)
        self.caches = results / "caches" / name
        self.is_gpu = bool(prefix)
        self.seconds = self.processor_seconds = 0.0
        self.threads = 0
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.caches.mkdir(parents=True, exist_ok=True)

    def run(self, *command, options=(), cwd=None, timeout=1800, **variables):
        """What the program says, both outputs one after the other. `options` are for vitro."""
        # Programs look for settings and keep things in the home folder: theirs is made here.
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("OCL_", "OPENCV_", "POCL_", "XDG_"))}
        environment |= {"HOME": str(self.caches), "XDG_CACHE_HOME": str(self.caches), "LC_ALL": "C.UTF-8",
                        "VITRO_CACHE_DIR": str(self.caches / "vitro"), "POCL_CACHE_DIR": str(self.caches / "pocl"),
                        "OCL_ICD_VENDORS": str(VENDORS / ("intel.icd" if self.is_gpu else "pocl.icd")), **variables}
        statistics = self.folder / "statistics.json"
        statistics.unlink(missing_ok=True)
        prefix = [*self.prefix, *options, "--stats=json", "--stats-file", str(statistics), "--"] if self.is_gpu else []
        command = [*prefix, *map(str, command)]
        began, spent = time.monotonic(), spent_by_children()
        try:
            done = subprocess.run(command, env=environment, cwd=cwd or self.folder, timeout=timeout, text=True,
                                  stdin=subprocess.DEVNULL, capture_output=True, errors="replace", check=False)
        except subprocess.TimeoutExpired:
            raise Failed(f"{self.name}: not done within {timeout} s") from None
        finally:
            self.seconds += time.monotonic() - began
            self.processor_seconds += spent_by_children() - spent
        said = done.stdout + done.stderr
        with (self.folder / "log").open("a", encoding="utf-8") as log:
            log.write(f"$ {' '.join(command)}\n{said}\nexit code {done.returncode}\n")
        check(done.returncode == 0, f"{self.name}: exit code {done.returncode}: {said[-600:]}")
        if self.is_gpu:
            self.read_statistics(statistics)
        return said

    def read_statistics(self, file):
        check(file.exists(), f"{self.name}: no work was submitted")
        statistics = json.loads(file.read_text(encoding="utf-8"))
        check(statistics["device"] == self.name, f"{self.name}: ran on {statistics['device']}")
        check(statistics["threads"] > 0, f"{self.name}: no EU thread was executed")
        for trouble in ("faults", "unsupported", "unknown_registers"):
            check(not statistics[trouble], f"{self.name}: {trouble}: {statistics[trouble]}")
        self.threads += statistics["threads"]


def difference(ours, theirs):
    """(largest, mean)"""
    check(ours.shape == theirs.shape, f"shapes differ: {ours.shape} and {theirs.shape}")
    far = numpy.abs(ours.astype(numpy.float64) - theirs)
    check(numpy.isfinite(far).all(), "numbers that are not finite")
    return far.max(), far.mean()


def check_close(what, ours, theirs, most, mean):
    found = difference(ours, theirs)
    check(found[0] <= most and found[1] <= mean,
          f"{what}: largest difference {found[0]:.3g} (at most {most}), mean {found[1]:.3g} (at most {mean})")
    return found


def hashcat(gpu, pocl):
    """https://hashcat.net: brute force over a mask; the device makes the candidates."""
    word = "vitro"
    for side, device_type, device in ((gpu, "2", INTEL), (pocl, "1", "The pocl project")):
        found = side.folder / "found"
        said = side.run("hashcat", "-m", "0", "-a", "3", "-D", device_type, "--potfile-disable", "--outfile", found,
                        "--outfile-format", "2", hashlib.md5(word.encode()).hexdigest(), "?l?l?l?l?l",
                        XDG_DATA_HOME=str(side.folder))
        check(device in said, f"{side.name}: hashcat did not use {device}")
        check(found.exists() and found.read_text(encoding="utf-8") == word + "\n", f"{side.name}: the word was not found")
    return f"both found {word!r}"


def darktable(gpu, pocl):
    """https://darktable.org: from the sensor's mosaic to the picture; seven of its nine modules run in OpenCL."""
    photograph = gpu.folder / "scene.dng"
    photograph.write_bytes(pictures.dng(pictures.scene(640, 480)))
    kernels = pathlib.Path("/usr/share/darktable/kernels")

    def develop(side, name, *core, options=()):
        out = side.folder / f"{name}.pfm"
        # In the folder of the kernels because darktable gives it to the compiler in quotes, which pocl takes literally.
        said = side.run("darktable-cli", photograph, out, "--apply-custom-presets", "0", "--core", "--library", ":memory:",
                        "--configdir", side.folder / "config", "--cachedir", side.caches / "darktable",
                        "-d", "opencl", "-d", "perf", *core, cwd=kernels, options=options)
        return said, out

    # With a checksum OFF darktable does not switch OpenCL off where it measures that the CPU is faster.
    use = ["--conf", "opencl=TRUE", "--conf", "opencl_checksum=OFF"]
    said, picture = develop(gpu, "gpu", *use)
    check(INTEL in said, "darktable did not use Intel's driver")
    on_gpu = re.findall(r"processed `(.*?)' on GPU", said)
    wanted = {"demosaic", "exposure", "input color profile", "filmic rgb", "output color profile"}
    check(wanted <= set(on_gpu), f"on the GPU ran only {on_gpu}")
    ours = pictures.read_pfm(picture)

    # darktable refuses devices of the type CPU until its settings say otherwise, under a name that it tells.
    said, _ = develop(pocl, "without", *use)
    name, = re.findall(r"CANONICAL NAME: *(\S+)", said)
    said, picture = develop(pocl, "pocl", *use, "--conf", f"cldevice_v4_{name}=0 250 0 16 16 128 0 0 0 0")
    check(set(re.findall(r"processed `(.*?)' on GPU", said)) == set(on_gpu), "darktable did not use pocl for the same")
    most, mean = check_close("OpenCL on pocl", ours, pictures.read_pfm(picture), 0.005, 1e-5)

    # Without OpenCL the frame of 9 pixels is interpolated another way, so that it differs on every device.
    cpu = gpu.beside("cpu")
    said, picture = develop(cpu, "cpu", "--disable-opencl")
    check("on GPU" not in said and "processed `demosaic' on CPU" in said, "darktable did not leave OpenCL alone")
    theirs = pictures.read_pfm(picture)
    inner = numpy.s_[9:-9, 9:-9]
    most_cpu, mean_cpu = check_close("without OpenCL", ours[inner], theirs[inner], 0.02, 1e-4)
    check_close("without OpenCL, frame included", ours, theirs, 0.3, 2e-4)
    return (f"{len(on_gpu)} modules on the GPU; of 1, at most {most:.2g} from pocl (mean {mean:.2g}), "
            f"{most_cpu:.2g} from no OpenCL (mean {mean_cpu:.2g})")


# Largest differences from pocl and from OpenCV's code for the CPU, in units of the result: 0..255, or about 1 for floats.
# Coordinates of warps are rounded to 1/32 pixel, at edges of the picture that is a few steps.
OPENCV = {
    "blur": (0, 0), "gaussian": (1e-6, 1e-6), "canny": (0, 0), "warp_affine": (0, 8), "warp_perspective": (12, 12),
    "median": (0, 0), "median_colour": (0, 0), "histogram": (0, 0), "equalize": (0, 0), "resize": (1e-6, 1e-4),
    "lab": (0, 1), "dilate": (0, 0), "sobel": (1e-6, 1e-6), "bilateral": (1, 1), "pyramid": (0, 1), "template": (1, 8),
    "corners": (1e-6, 1e-6),
}


def opencv(gpu, pocl):
    """https://opencv.org: the transparent API, chosen by OPENCV_OPENCL_DEVICE."""
    script = HERE / "opencv_operations.py"
    cpu = gpu.beside("cpu")
    results = {}
    for side, device, vendor in ((gpu, ":GPU:", INTEL), (pocl, ":CPU:", "PoCL"), (cpu, "disabled", "")):
        out = side.folder / "results.npz"
        said = side.run("/usr/bin/python3", "-B", script, out, *(["--cpu"] if side is cpu else []),
                        options=["--trace", "commands"], OPENCV_OPENCL_DEVICE=device, OPENCV_OPENCL_RAISE_ERROR="1")
        check(vendor in said.partition("operation")[0], f"{side.name}: OpenCV did not use {vendor}")
        results[side.name] = numpy.load(out)
        if side.is_gpu:
            parts = re.split(r"^operation (\w+)$", said, flags=re.MULTILINE)
            idle = [name for name, work in zip(parts[1::2], parts[2::2]) if "GPGPU_WALKER" not in work]
            check(parts[1::2] == list(OPENCV) and not idle, f"without work for the GPU: {idle}")
    for name, tolerances in OPENCV.items():
        for other, most in zip((pocl, cpu), tolerances):
            check_close(f"{name} and {other.name}", results[gpu.name][name], results[other.name][name], most, most / 10)
    same = sum(numpy.array_equal(results[gpu.name][name], results[pocl.name][name]) for name in OPENCV)
    return f"{len(OPENCV)} operations, {same} with the same bits as on pocl"


# Steps of 255 by which a filter's result may differ from pocl's: averages of four pixels, at avgblur's left edge, lie
# halfway between two steps, and nlmeans weights by exp.
FILTERS = {"unsharp_opencl=lx=5:ly=5:la=1.5:ca=0.7": 0, "avgblur_opencl=3": 1, "sobel_opencl": 0, "transpose_opencl": 0,
           "convolution_opencl=0m=0 -1 0 -1 5 -1 0 -1 0": 0, "nlmeans_opencl=s=3:r=5": 1}


def ffmpeg(gpu, pocl):
    """https://ffmpeg.org: filters on frames that are images of the device."""
    differing = []
    for name, most in FILTERS.items():
        frames = {}
        for side, platform in ((gpu, "Intel(R) OpenCL HD Graphics"), (pocl, "Portable Computing Language")):
            out = side.folder / f"{name.partition('=')[0]}.yuv"
            said = side.run("ffmpeg", "-hide_banner", "-nostdin", "-v", "verbose", "-init_hw_device",
                            f"opencl=device:,platform_name={platform}", "-filter_hw_device", "device", "-f", "lavfi", "-i",
                            "testsrc2=size=320x240:rate=5:duration=1", "-vf",
                            f"format=yuv420p,hwupload,{name},hwdownload,format=yuv420p", "-f", "rawvideo", "-y", out)
            check(platform in said, f"{side.name}: ffmpeg did not use {platform}")
            frames[side] = numpy.fromfile(out, numpy.uint8)
            check(frames[side].size == 5 * 320 * 240 * 3 // 2, f"{side.name}: {name}: {frames[side].size} bytes")
        if check_close(name, frames[gpu], frames[pocl], most, most / 10)[0]:
            differing.append(name.partition("=")[0])
    return f"{len(FILTERS) - len(differing)} filters with the same bits" + (
        f", differing by 1 in places: {', '.join(differing)}" if differing else "")


def clblast(gpu, pocl):
    """https://github.com/CNugteren/CLBlast: the tuner compares what each variant of the kernel computes with a reference
    kernel's result. Which variants there are depends on the device."""
    counts = {}
    for side, vendor in ((gpu, "Intel(R) Corporation"), (pocl, "The pocl project")):
        said = side.run("clblast_tuner_xgemm", "-m", "128", "-n", "128", "-k", "128", "-fraction", "4096", "-runs", "1")
        said = re.sub(r"\x1b\[\d*m", "", said)
        rows = re.findall(r"^\| +(\d+|ref) \|.*\| *([^|]*?) *\|$", said, re.MULTILINE)
        outcomes = collections.Counter(outcome for _, outcome in rows)
        counts[side] = outcomes["results match"]
        # Of its four sets of variants, two are so small that this fraction leaves none.
        check(said.count("Completed tuning process") == 2 and counts[side] > 20, f"{side.name}: {outcomes}")
        check(outcomes == {"reference OK": 4, "results match": counts[side]}, f"{side.name}: {outcomes}")
        kept = json.loads((side.folder / "clblast_xgemm_2_32.json").read_text(encoding="utf-8"))
        check(kept["platform_vendor"] == vendor, f"{side.name}: CLBlast used {kept['device']}")
    return f"all results match: {counts[gpu]} variants, {counts[pocl]} on pocl"


PROGRAMS = {f.__name__: f for f in (hashcat, darktable, opencv, ffmpeg, clblast)}


def main():
    parser = argparse.ArgumentParser(prog="tests/programs/run", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="kbl", choices=["bdw", "kbl", "apl"])
    parser.add_argument("--vitro", default=str(ROOT / "build/release/vitro"), help="the program to run with")
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "build/programs")
    parser.add_argument("name", nargs="*", help=", ".join(PROGRAMS))
    options = parser.parse_args()
    if unknown := set(options.name) - set(PROGRAMS):
        parser.error(f"no such program: {', '.join(sorted(unknown))}")

    failed = 0
    names = options.name or list(PROGRAMS)
    for name in names:
        part = f"{options.device}/{name}"
        gpu = Side(options.device, options.results.resolve(), part, [options.vitro, "run", "--device", options.device])
        pocl = gpu.beside("pocl")
        try:
            outcome, text = "passed", PROGRAMS[name](gpu, pocl)
        except Failed as error:
            outcome, text, failed = "FAILED", str(error), failed + 1
        times = "  ".join(f"{side.name} {side.seconds:.1f} s ({side.processor_seconds:.1f} of the processor)"
                          for side in (gpu, pocl))
        print(f"{name:10} {outcome}  {times}  {gpu.threads} threads  {text}", flush=True)
    print(f"{len(names) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
