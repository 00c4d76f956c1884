"""What the programs of one `vitro run` share of the device beside descriptors: names of buffers, who is master, and what
/proc tells of each; and what one program sees: its numbers of descriptors, the module's parameters, and its limits."""

import os
import sys

import running

# What the programs begin with: requests to the device, from Python.
PRELUDE = """
import errno, fcntl, os, re, struct, subprocess, sys
CREATE, PREAD, PWRITE = 0xc010645b, 0x4020645c, 0x4020645d
FLINK, OPEN, SET_MASTER, DROP_MASTER = 0xc008640a, 0xc010640b, 0x641e, 0x641f
def call(fd, request, form="", *values):
    argument = bytearray(struct.pack(form, *values))
    fcntl.ioctl(fd, request, argument if argument else 0)
    return struct.unpack(form, argument)
def fails(fd, request, form="", *values):
    try:
        call(fd, request, form, *values)
    except OSError as error:
        return errno.errorcode[error.errno]
    return "0"
def create(fd, size):
    return call(fd, CREATE, "QII", size, 0, 0)[1]
def transfer(fd, request, handle, data):
    import ctypes
    call(fd, request, "IIQQQ", handle, 0, 0, len(data), ctypes.addressof(data))
def put(fd, handle, text):
    import ctypes
    transfer(fd, PWRITE, handle, ctypes.create_string_buffer(text))
def get(fd, handle, size):
    import ctypes
    data = ctypes.create_string_buffer(size)
    transfer(fd, PREAD, handle, data)
    return data.value
def child(program, *words, prefix=()):
    whole = open(sys.argv[1]).read() + program
    return subprocess.run([*prefix, sys.executable, "-c", whole, sys.argv[1], *map(str, words)], check=False,
                          capture_output=True, text=True, pass_fds=())
def told(done):
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
"""


class Clients(running.Case):
    def python(self, program, *words, errors=""):
        """The output of a Python program under vitro, which must succeed and tell nothing but these errors."""
        prelude = self.folder() / "prelude.py"
        prelude.write_text(PRELUDE)
        done = running.run(sys.executable, "-c", PRELUDE + program, prelude, *words)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stderr, f"\\A{errors}\\Z")
        return done.stdout.strip()

    def test_open_gives_the_lowest_free_number(self):
        self.assertEqual(self.python("""
names = ["/dev/dri/renderD128", "/dev/dri/card0", "/sys/class/drm/card0/error", "/sys/module/i915/parameters/reset",
         "/sys/class/drm/card0/dev", "/dev/dri/by-path/pci-0000:00:02.0-render"]
for name in 2 * names:
    free = os.dup(0)
    os.close(free)
    opened = os.open(name, os.O_RDONLY)
    assert opened == free, (name, opened, free)
    again = os.open("/proc/self/fd/%d" % opened, os.O_RDONLY)
    assert again == opened + 1, name
    os.close(opened)
    opened = os.open(name, os.O_RDONLY)
    assert opened == free, name
print("yes")
"""), "yes")

    def test_parameters_of_the_module(self):
        self.assertEqual(self.python("""
folder = "/sys/module/i915/parameters/"
values = {name: open(folder + name).read() for name in os.listdir(folder)}
assert len(values) > 30 and all(value.endswith("\\n") for value in values.values()), values
assert values["reset"] == "3\\n" and values["enable_guc"] == "0\\n", values
if os.geteuid() == 0:
    assert os.access(folder + "reset", os.W_OK)
    for value in "0", "1", "3":
        with open(folder + "reset", "w") as file:
            file.write(value)
        assert open(folder + "reset").read() == value + "\\n", value
    if os.fork() == 0:
        os.setuid(65534)
        ok = not os.access(folder + "reset", os.W_OK)
        try:
            open(folder + "reset", "w")
            ok = False
        except PermissionError:
            pass
        os._exit(0 if ok else 1)
    assert os.wait()[1] == 0
for name in "enable_guc", "modeset":
    assert not os.access(folder + name, os.W_OK)
    try:
        open(folder + name, "w")
    except PermissionError:
        continue
    raise AssertionError(name)
print("yes")
"""), "yes")

    def test_names_of_buffers(self):
        self.assertEqual(self.python("""
fd = os.open("/dev/dri/card0", os.O_RDWR)
handle = create(fd, 8192)
put(fd, handle, b"from the parent")
name = call(fd, FLINK, "II", handle, 0)[1]
OTHER = '''
fd = os.open("/dev/dri/card0", os.O_RDWR)
name, handle, size = call(fd, OPEN, "IIQ", int(sys.argv[2]), 0, 0)
print(get(fd, handle, 16).decode(), size)
put(fd, handle, b"from the child")
# Two clients of this process, by another name.
own = os.open("/dev/dri/card0", os.O_RDWR)
again = call(own, OPEN, "IIQ", call(fd, FLINK, "II", handle, 0)[1], 0, 0)[1]
assert get(own, again, 16) == b"from the child"
'''
if os.geteuid() != 0:
    print(fails(os.open("/dev/dri/card0", os.O_RDWR), OPEN, "IIQ", name, 0, 0))
    sys.exit()
assert told(child(OTHER, name)) == "from the parent 8192"
assert get(fd, handle, 16) == b"from the child"
assert told(child("print(fails(os.open('/dev/dri/card0', os.O_RDWR), OPEN, 'IIQ', int(sys.argv[2]), 0, 0))",
                  name + 1)) == "ENOENT"
# Another run is another machine.
done = child("print(fails(os.open('/dev/dri/card0', os.O_RDWR), OPEN, 'IIQ', int(sys.argv[2]), 0, 0))", name,
             prefix=[sys.argv[2], "run", "--"])
assert told(done) == "ENOENT"
# What a process that is gone has named goes on where somebody has it.
gone = child('''
fd = os.open("/dev/dri/card0", os.O_RDWR)
handle = create(fd, 4096)
put(fd, handle, b"left")
print(call(fd, FLINK, "II", handle, 0)[1])
''')
assert fails(fd, OPEN, "IIQ", int(told(gone)), 0, 0) == "ENOENT"
print("yes")
""", running.VITRO), "yes" if os.geteuid() == 0 else "EACCES")

    def test_one_master(self):
        self.assertEqual(self.python("""
first = os.open("/dev/dri/card0", os.O_RDWR)
assert fails(first, SET_MASTER) == "0"
ASK = '''
fd = os.open("/dev/dri/card0", os.O_RDWR)
print(fails(fd, DROP_MASTER), fails(fd, SET_MASTER))
'''
refused = "EINVAL EBUSY" if os.geteuid() == 0 else "EACCES EACCES"
assert told(child(ASK)) == refused, told(child(ASK))
assert fails(first, DROP_MASTER) == "0"
assert fails(first, DROP_MASTER) == "EINVAL"
assert told(child(ASK)) == "0 0"  # it was opened when nobody was master
assert fails(first, SET_MASTER) == "0"  # the child is gone
os.close(first)
assert told(child(ASK)) == "0 0"
print("yes")
"""), "yes")

    def test_lines_of_fdinfo(self):
        self.assertEqual(self.python("""
fd = os.open("/dev/dri/renderD128", os.O_RDWR)
def lines(path):
    return dict(line.rstrip("\\n").split(":\\t", 1) for line in open(path))
own = lines("/proc/self/fdinfo/%d" % fd)
assert own["pos"] == "0" and own["drm-driver"] == "i915" and own["drm-pdev"] == "0000:00:02.0", own
assert own["drm-total-system0"] == "0", own
handle = create(fd, 3 << 20)
put(fd, handle, b"resident")
own = lines("/proc/self/fdinfo/%d" % fd)
assert own["drm-total-system0"] == "3 MiB", own
assert own["drm-resident-system0"] != "0", own
for engine in "render", "copy", "video", "video-enhance":
    assert own["drm-engine-" + engine] == "0 ns", own
# Two clients, two numbers; a copy is the same one.
other, copy = os.open("/dev/dri/card0", os.O_RDWR), os.dup(fd)
assert lines("/proc/self/fdinfo/%d" % other)["drm-client-id"] != own["drm-client-id"]
assert lines("/proc/self/fdinfo/%d" % copy)["drm-client-id"] == own["drm-client-id"]
# As another process sees it, by absolute names and from folders.
theirs = "/proc/%d/" % os.getpid()
def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout
assert run("cat", theirs + "fdinfo/%d" % fd) == open("/proc/self/fdinfo/%d" % fd).read()
assert run("stat", "-L", "-c", "%t:%T:%F", theirs + "fd/%d" % fd).strip() == "e2:80:character special file"
assert run("stat", "-L", "-c", "%t:%T", theirs + "fd/%d" % other).strip() == "e2:0"
assert run("readlink", theirs + "fd/%d" % fd).strip() == "/dev/dri/renderD128"
LOOK = '''
folder = os.open(sys.argv[2] + "fd", os.O_RDONLY)
status = os.stat(sys.argv[3], dir_fd=folder)
assert (os.major(status.st_rdev), os.minor(status.st_rdev)) == (226, 128)
assert os.readlink(sys.argv[3], dir_fd=folder) == "/dev/dri/renderD128"
folder = os.open(sys.argv[2] + "fdinfo", os.O_RDONLY)
print(re.search("drm-client-id:.(.*)", os.fdopen(os.open(sys.argv[3], os.O_RDONLY, dir_fd=folder)).read())[1])
'''
assert told(child(LOOK, theirs, fd)) == own["drm-client-id"]
# A buffer is no client, nor is any other file.
file = os.open("/dev/null", os.O_RDONLY)
assert "drm-driver" not in lines("/proc/self/fdinfo/%d" % file)
assert run("stat", "-L", "-c", "%t:%T", theirs + "fd/%d" % file).strip() == "1:3"
print("yes")
"""), "yes")

    def test_a_limit_of_address_space(self):
        self.assertEqual(self.python("""
import resource
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * 4096 + (256 << 20), -1))
fd = os.open("/dev/dri/renderD128", os.O_RDWR)
handle = create(fd, 16 << 20)
put(fd, handle, b"works")
assert get(fd, handle, 16) == b"works"
for tries in 1, 2:
    print(fails(fd, CREATE, "QII", 1 << 30, 0, 0))
""", errors=r"vitro: no memory for a buffer: address space is limited to \d+ KiB \(ulimit -v\)\n"), "ENOMEM\nENOMEM")

    def test_a_limit_of_file_size(self):
        self.assertEqual(self.python("""
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (16 << 20, -1))
fd = os.open("/dev/dri/renderD128", os.O_RDWR)
handle = create(fd, 8 << 20)
put(fd, handle, b"works")
assert get(fd, handle, 16) == b"works"
print(fails(fd, CREATE, "QII", 1 << 30, 0, 0))
resource.setrlimit(resource.RLIMIT_FSIZE, (0, -1))
assert "drm-driver" in open("/proc/self/fdinfo/%d" % fd).read()
assert open("/sys/class/drm/card0/error").read().startswith("No error state")
assert get(fd, handle, 16) == b"works"
for tries in 1, 2:
    try:
        os.open("/dev/dri/renderD128", os.O_RDWR)
    except OSError as error:
        print(errno.errorcode[error.errno])
""", errors=r"vitro: no memory for a buffer: files, in which its memory is, are limited to 16384 KiB \(ulimit -f\)\n"
            r"vitro: the device cannot be opened: files, in which its memory is, are limited to 0 KiB \(ulimit -f\)\n"),
                         "ENOMEM\nENOMEM\nENOMEM")

    def test_busy_time_of_engines(self):
        told = self.client("open", "create", "fill", "submit", "busy", "check")
        self.assertRegex(told, r"drm-engine-render:\t[1-9][0-9]* ns")


if __name__ == "__main__":
    running.main()
