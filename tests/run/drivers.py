"""The real drivers find the device: OpenCL (NEO), Vulkan (anv, hasvk), EGL (iris, crocus), each on the devices that it
supports, and by the Intel driver and not by a software one."""

import re

import running


class Drivers(running.Case):
    def output(self, *command, device):
        done = running.run(*command, device=device)
        self.assertEqual(done.returncode, 0, f"{command} on {device}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout

    def test_clinfo(self):
        for device, name in {"bdw": "HD Graphics 5500", "kbl": "HD Graphics 620", "apl": "HD Graphics 505"}.items():
            text = self.output("clinfo", "--raw", device=device)
            self.assertRegex(text, rf"CL_DEVICE_NAME\s+Intel\(R\).*{name}", device)

    def test_vulkaninfo(self):
        for device in ("bdw", "kbl", "apl"):
            text = self.output("vulkaninfo", "--summary", device=device)
            pci_id = running.DEVICES[device].lower()
            found = re.search(r"vendorID\s*=\s*0x8086\s*deviceID\s*=\s*0x(\w+).*?driverID\s*=\s*(\w+)", text, re.DOTALL)
            self.assertTrue(found, f"{device}: {text[-1500:]}")
            self.assertEqual(found.group(1), pci_id)
            self.assertEqual(found.group(2), "DRIVER_ID_INTEL_OPEN_SOURCE_MESA")

    def test_renderer(self):
        names = {"snb": "HD Graphics 3000", "bdw": "HD Graphics 5500", "kbl": "HD Graphics 620", "apl": "HD Graphics 505"}
        for device, name in names.items():
            text = self.output(running.RENDERER, device=device)
            self.assertRegex(text, rf"Mesa Intel\(R\) {name} \({device.upper()}", device)

    def test_eglinfo(self):
        # It ends with an error when a platform (X11, Wayland) is not there; the platform without one is enough.
        done = running.run("eglinfo")
        gbm = done.stdout.partition("GBM platform:")[2].partition("platform:")[0]
        self.assertIn("EGL vendor string: Mesa Project", gbm, done.stderr)


if __name__ == "__main__":
    running.main()
