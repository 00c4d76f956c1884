"""The names under which a program finds the emulated GPU: status, links, listings, and a walk as libudev does it; and
that a run leaves no file behind."""

import os
import pathlib

import running


class Names(running.Case):
    def test_each_device_answers_with_its_own_identity(self):
        for device, pci_id in running.DEVICES.items():
            self.assertEqual(self.client("open", device=device), f"chipset {pci_id.lower()}\n")
            shown = running.run("cat", "/sys/class/drm/card0/device/device", device=device).stdout
            self.assertEqual(shown, f"0x{pci_id.lower()}\n")

    def test_nodes_are_character_devices_under_every_name(self):
        self.client("open", "status")

    def test_a_walk_from_the_root_folder_reaches_the_card(self):
        self.client("walk")

    def test_listings_show_the_device_once(self):
        self.client("list")

    def test_other_names_are_the_machines_own(self):
        for path in ("/proc/self/comm", "/etc/hostname", "/sys/kernel"):
            plain = os.path.exists(path)
            self.assertEqual(running.run("test", "-e", path).returncode == 0, plain, path)

    def test_the_tree_cannot_be_written(self):
        done = running.run("sh", "-c", "echo 1 >/sys/class/drm/card0/gt_max_freq_mhz")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("Permission denied", done.stderr)
        done = running.run("sh", "-c", "cat /sys/class/drm/card0/gt_max_freq_mhz")
        self.assertEqual(done.stdout, "1050\n")

    def test_libdrm_and_libudev_enumerate_it(self):
        script = """
import ctypes
drm = ctypes.CDLL("libdrm.so.2")
print(drm.drmGetDevices2(0, None, 0))
udev = ctypes.CDLL("libudev.so.1")
for name in ("new", "enumerate_new", "enumerate_get_list_entry", "list_entry_get_next", "device_new_from_syspath"):
    getattr(udev, "udev_" + name).restype = ctypes.c_void_p
for name in ("list_entry_get_name", "device_get_devnode", "device_get_property_value"):
    getattr(udev, "udev_" + name).restype = ctypes.c_char_p
context = ctypes.c_void_p(udev.udev_new())
found = ctypes.c_void_p(udev.udev_enumerate_new(context))
udev.udev_enumerate_add_match_subsystem(found, b"drm")
udev.udev_enumerate_scan_devices(found)
entry = ctypes.c_void_p(udev.udev_enumerate_get_list_entry(found))
while entry:
    path = udev.udev_list_entry_get_name(entry)
    device = ctypes.c_void_p(udev.udev_device_new_from_syspath(context, path))
    print(path.decode(), udev.udev_device_get_devnode(device), udev.udev_device_get_property_value(device, b"ID_PATH"))
    entry = ctypes.c_void_p(udev.udev_list_entry_get_next(entry))
"""
        done = running.run("python3", "-c", script)
        card = "/sys/devices/pci0000:00/0000:00:02.0/drm/card0 b'/dev/dri/card0' b'pci-0000:00:02.0'"
        render = card.replace("card0", "renderD128")
        self.assertEqual(done.stdout.splitlines(), ["1", card, render], done.stderr)

    def test_nothing_is_left_behind(self):
        places = [p for p in ("/tmp", "/dev/shm", "/var/tmp") if os.path.isdir(p)]
        tree = pathlib.Path(running.VITRO).parent / "share"
        folder = self.folder()

        def files():
            ours = {p for place in places for p in os.listdir(place) if "vitro" in p.lower() or "i915" in p.lower()}
            return ours | set(os.listdir(folder)) | {str(p) for p in tree.rglob("*")}

        before = files()
        self.client("open", "create", "fill", "export", "fork", "send", cwd=folder)
        self.assertEqual(files(), before)

    def test_any_user_may(self):
        if os.geteuid() != 0:
            self.skipTest("only root can become another user")
        done = running.run(running.CLIENT, "open", "status", "walk", "list", user=65534, group=65534, extra_groups=[])
        if "Permission denied" in done.stderr and done.returncode == 126:
            self.skipTest("the build folder is closed to other users")
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    running.main()
