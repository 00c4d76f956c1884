"""Programs at the limits of the process, of the user and of the machine: kill -9, ulimit -v, -u, -f and -n, a full disk,
a cache folder of another user, a cgroup. Each ends with the right result, or with one clear line and an exit code; none
hangs, dies by a signal or leaves something behind. All of it runs as an ordinary user, whom the limits bind."""

import contextlib
import ctypes
import os
import pathlib
import resource
import select
import shutil
import signal
import subprocess
import tempfile
import time

import running

BUILD = pathlib.Path(running.VITRO).parent
PROGRAMS = pathlib.Path(running.CLIENT).parent
IS_ROOT = os.geteuid() == 0
# Limits per user count all processes of the user: this one has no others.
USER = 200000 + os.getpid() % 100000 if IS_ROOT else os.getuid()
MIB = 1 << 20
CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
INTEL_ONLY = "/etc/OpenCL/vendors/intel.icd"


def lines_of(done):
    """What vitro, or the loader about vitro's library, has to say."""
    return [line for line in done.stderr.splitlines() if line.startswith("vitro: ") or "libvitro_preload" in line]


class Limits(running.Case):
    @classmethod
    def setUpClass(cls):
        """A copy of vitro and of the programs that the ordinary user can read, and folders that are the user's."""
        cls.temporary = tempfile.TemporaryDirectory()
        cls.base = pathlib.Path(cls.temporary.name)
        cls.base.chmod(0o755)
        for name in ("vitro", "libvitro_preload.so", "libvitro_jit.so"):
            if (BUILD / name).exists():
                shutil.copy(BUILD / name, cls.base)
        shutil.copytree(BUILD / "share", cls.base / "share", symlinks=True)
        for name in ("run_client", "run_adder", "run_heir"):
            shutil.copy(PROGRAMS / name, cls.base)
        cls.home = cls.make_folder("home")
        cls.has_jit = (BUILD / "libvitro_jit.so").exists()

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def make_folder(cls, name, owner=USER, mode=0o700):
        folder = cls.base / name
        folder.mkdir()
        if IS_ROOT:
            os.chown(folder, owner, owner)
        folder.chmod(mode)
        return folder

    def command(self, program, *words, options=()):
        return [self.base / "vitro", "run", *options, "--", self.base / f"run_{program}", *words]

    def how(self, limits=(), before=lambda: None, **variables):
        """Keywords for subprocess: the ordinary user, with limits as pairs of resource and value."""
        def become():
            before()
            if IS_ROOT:
                os.setgroups([])
                os.setresgid(USER, USER, USER)
                os.setresuid(USER, USER, USER)
            for which, value in limits:
                resource.setrlimit(which, (value, value))

        environment = {"PATH": os.environ["PATH"], "HOME": str(self.home), "TMPDIR": str(self.home),
                       "OCL_ICD_VENDORS": INTEL_ONLY} | variables
        return {"preexec_fn": become, "env": environment, "cwd": self.base}

    def run_program(self, program, *words, options=(), timeout=120, **how):
        return subprocess.run(self.command(program, *words, options=options), capture_output=True, text=True, check=False,
                              timeout=timeout, stdin=subprocess.DEVNULL, **self.how(**how))

    def client(self, *steps, **how):
        """(whether it worked, the finished process) of a program that uses the kernel's interface."""
        done = self.run_program("client", "open", "create", "fill", "submit", "export", *steps, "check", **how)
        return done.returncode == 0 and done.stdout == "chipset 5916\n", done

    def adder(self, *options, **how):
        """The same of one that uses OpenCL."""
        done = self.run_program("adder", "Intel", "3", options=options, **how)
        return done.returncode == 0 and done.stdout == "4096 sums, 0 wrong\n", done

    def check(self, result, must_work, ours=True):
        """A program that works, without a word, or one that ends by itself with a clear line. `ours`: the line is
        vitro's and the only one; otherwise the program or its driver may have met the limit first."""
        worked, done = result
        self.assertGreaterEqual(done.returncode, 0, f"signal {-done.returncode}: {done.stdout}{done.stderr}")
        if must_work:
            self.assertTrue(worked, f"{done.returncode}: {done.stdout}{done.stderr}")
        if worked:
            self.assertLessEqual(len(lines_of(done)), 1, done.stderr)
        elif ours:
            self.assertEqual(len(lines_of(done)), 1, done.stderr)
        else:
            self.assertTrue(done.stderr.strip(), done.returncode)
            self.assertLessEqual(len(lines_of(done)), 1, done.stderr)

    def test_no_limits(self):
        self.check(self.client(), must_work=True)
        self.check(self.adder(), must_work=True)

    def test_address_space(self):
        for mib in (64, 100, 150, 200, 300, 500, 1000, 2000, 4000, 16000):
            with self.subTest(mib=mib):
                limits = [(resource.RLIMIT_AS, mib * MIB)]
                self.check(self.client(limits=limits), must_work=mib >= 500)
                if mib < 500:
                    continue  # Intel's runtime cannot load its compiler, and aborts
                self.check(self.adder(limits=limits), must_work=mib >= 16000, ours=False)
                if self.has_jit:
                    self.check(self.adder("--jit=on", "--jit-cache=off", limits=limits), must_work=mib >= 16000, ours=False)

    def test_file_size(self):
        for size in (0, 1, 512, 4096, 65536, 1 * MIB, 16 * MIB, 256 * MIB):
            with self.subTest(size=size):
                limits = [(resource.RLIMIT_FSIZE, size)]
                self.check(self.client(limits=limits), must_work=size >= 16 * MIB)
                self.check(self.adder(limits=limits), must_work=size >= 256 * MIB, ours=False)
                if self.has_jit:
                    self.check(self.adder("--jit=on", limits=limits), must_work=size >= 256 * MIB, ours=False)

    def test_statistics_beyond_the_file_size(self):
        file = self.home / "statistics"
        file.write_bytes(bytes(MIB * 64))
        if IS_ROOT:
            os.chown(file, USER, USER)
        worked, done = self.client(limits=[(resource.RLIMIT_FSIZE, MIB * 64)])
        self.assertTrue(worked, done.stderr)
        done = self.run_program("client", "open", "submit", options=["--stats-file", file],
                                limits=[(resource.RLIMIT_FSIZE, MIB * 64)])
        self.assertEqual((done.returncode, done.stdout), (0, "chipset 5916\n"), done.stderr)
        self.assertEqual(len(lines_of(done)), 1, done.stderr)
        self.assertIn("File too large", done.stderr)

    def test_standard_error_that_nobody_reads(self):
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run(self.command("client", "open", "submit", options=["--trace", "ioctls", "--stats"]),
                              stdout=subprocess.PIPE, stderr=write, text=True, check=False, timeout=120, **self.how())
        os.close(write)
        self.assertEqual((done.returncode, done.stdout), (0, "chipset 5916\n"))

    def test_stacks(self):
        for size in (64 << 10, 256 << 10, 1 << 50, resource.RLIM_INFINITY):
            with self.subTest(size=size):
                limits = [(resource.RLIMIT_STACK, size)]
                self.check(self.client(limits=limits), must_work=True)
                if size == 1 << 50:
                    continue  # Intel's runtime gets no thread, and waits for it at its end
                self.check(self.adder(*["--jit=on", "--jit-cache=off"] if self.has_jit else [], limits=limits), must_work=True)

    def test_threads(self):
        for threads in (1, 2, 3, 4, 6, 10, 20):
            with self.subTest(threads=threads):
                limits = [(resource.RLIMIT_NPROC, threads)]
                self.check(self.client(limits=limits), must_work=threads >= 6, ours=False)
                if threads < 4:
                    continue  # Intel's runtime waits at its end for a thread of its own that it did not get
                self.check(self.adder(limits=limits), must_work=threads >= 20, ours=False)
                if self.has_jit:
                    self.check(self.adder("--jit=on", "--jit-cache=off", limits=limits), must_work=threads >= 20, ours=False)

    def test_descriptors(self):
        for count in (3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 40, 64):
            with self.subTest(count=count):
                limits = [(resource.RLIMIT_NOFILE, count)]
                self.check(self.client(limits=limits), must_work=count >= 16, ours=False)
                self.check(self.client("poll", limits=limits), must_work=count >= 24, ours=False)
                self.check(self.client("send", "fork", "inherit", limits=limits), must_work=count >= 24, ours=False)
                self.check(self.adder(limits=limits), must_work=count >= 40, ours=False)

    def test_a_cache_folder_that_is_not_the_users(self):
        if not IS_ROOT:
            self.skipTest("only root can make a folder of another user")
        for mode in (0o700, 0o755, 0o777):
            with self.subTest(mode=oct(mode)):
                folder = self.make_folder(f"strange{mode}", owner=USER + 1, mode=mode)
                for options in ([], ["--jit=on"] if self.has_jit else []):
                    self.check(self.adder(*options, VITRO_CACHE_DIR=str(folder)), must_work=True)
                self.assertEqual(list(folder.iterdir()), [])

    @contextlib.contextmanager
    def mounting(self, folder, size):
        """A function for the child: a small file system at `folder`, in name spaces of its own."""
        libc = ctypes.CDLL(None, use_errno=True)

        def mount():
            if libc.unshare(CLONE_NEWNS if IS_ROOT else CLONE_NEWNS | CLONE_NEWUSER) != 0:
                raise OSError(ctypes.get_errno(), "unshare")
            libc.mount(b"none", b"/", None, 0x44000, None)  # MS_PRIVATE | MS_REC
            if libc.mount(b"none", os.fsencode(folder), b"tmpfs", 0, f"size={size},mode=777".encode()) != 0:
                raise OSError(ctypes.get_errno(), "mount")
            (pathlib.Path(folder) / "full").write_bytes(bytes(size))

        try:
            subprocess.run(["true"], preexec_fn=mount, check=True)
        except subprocess.SubprocessError as error:
            self.skipTest(f"no file system can be mounted here: {error}")
        yield mount

    def test_a_full_disk(self):
        folder = self.make_folder("disk")
        with self.mounting(folder, 64 << 10) as mount:
            places = {"HOME": str(folder), "TMPDIR": str(folder), "VITRO_CACHE_DIR": str(folder)}
            self.check(self.client(before=mount, **places), must_work=True)
            for options in (["--jit=on"], ["--jit=on", "--jit-dump", folder]) if self.has_jit else [[]]:
                self.check(self.adder(*options, before=mount, **places), must_work=True)
            done = self.run_program("client", "open", "submit", before=mount, options=["--stats-file", folder / "file"],
                                    **places)
            self.assertEqual((done.returncode, done.stdout), (0, "chipset 5916\n"), done.stderr)
            self.assertEqual(len(lines_of(done)), 1, done.stderr)
            self.assertIn("No space left", done.stderr)

    def processes(self):
        """Those of the user's that stand in the folder of the tests."""
        found = []
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if os.readlink(entry / "cwd") == str(self.base) and int(entry.name) != os.getpid():
                    found.append((int(entry.name), (entry / "cmdline").read_bytes()))
        return found

    def files(self):
        """The user's files where programs leave some, but for the cache."""
        found = set()
        for place in ("/dev/shm", "/tmp", self.home):
            for entry in os.scandir(place):
                with contextlib.suppress(OSError):
                    if entry.stat(follow_symlinks=False).st_uid == USER and entry.path != str(self.home / ".cache"):
                        found.add(entry.path)
        return found

    def test_killed(self):
        before = self.files()
        cache = self.make_folder("cache")
        options = ["--jit=on"] if self.has_jit else []
        for tenths in range(0, 14, 2):
            process = subprocess.Popen(self.command("adder", "Intel", "2000", options=options), stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, **self.how(VITRO_CACHE_DIR=str(cache)))
            time.sleep(tenths / 10)
            process.kill()
            process.wait()
        self.assertEqual((self.processes(), self.files()), ([], before))
        self.check(self.adder(*options, VITRO_CACHE_DIR=str(cache)), must_work=True)

    def test_a_process_that_shares_the_device_with_a_killed_one_goes_on(self):
        process = subprocess.Popen(self.command("heir"), stdout=subprocess.PIPE, text=True, **self.how())
        self.assertEqual(process.stdout.readline(), "ready\n")
        process.kill()
        process.wait()
        self.assertTrue(select.select([process.stdout], [], [], 100)[0], "the other process waits for ever")
        self.assertEqual(process.stdout.read(), "goes on: 600d\n")
        process.stdout.close()
        for _ in range(100):
            if not self.processes():
                break
            time.sleep(0.1)
        self.assertEqual(self.processes(), [])

    def make_cgroup(self, limits):
        """The cgroup.procs files of new groups below those of this process, with controllers and their limits."""
        own = dict(line.split(":", 2)[1:] for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines())
        files = []
        for controller, values in limits.items():
            # Version 1 has a tree for each controller, version 2 one tree without a name.
            tree, where = ((pathlib.Path("/sys/fs/cgroup") / controller, own[controller]) if controller in own
                           else (pathlib.Path("/sys/fs/cgroup"), own.get("", "/")))
            group = tree / where.lstrip("/") / f"vitro-test-{os.getpid()}"
            try:
                if not group.exists():
                    group.mkdir()
                    self.addCleanup(group.rmdir)
                for version, (name, value) in enumerate(values, 1):
                    if (version == 1) == (controller in own):
                        (group / name).write_text(str(value))
            except OSError as error:
                self.skipTest(f"no cgroup can be made here: {error}")
            files.append(str(group / "cgroup.procs"))
        return files

    def test_a_cgroup(self):
        groups = self.make_cgroup({"memory": [("memory.limit_in_bytes", 256 * MIB), ("memory.max", 256 * MIB)],
                                   "pids": [("pids.max", 32), ("pids.max", 32)]})

        def enter():
            for file in groups:
                with open(file, "w", encoding="ascii") as procs:
                    procs.write(str(os.getpid()))

        self.check(self.client(before=enter), must_work=True)
        self.check(self.adder(before=enter), must_work=True)
        if self.has_jit:
            self.check(self.adder("--jit=on", "--jit-cache=off", before=enter), must_work=True)


if __name__ == "__main__":
    running.main()
