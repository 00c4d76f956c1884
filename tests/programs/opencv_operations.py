"""OpenCV's operations on pictures in OpenCL (UMat), each a kernel or several that OpenCV compiles as it goes. With --cpu
the same functions without OpenCL. The results go into a file for programs.py, which starts this and compares; a line
`operation NAME` on standard error, before each, lets it find the operation's work in vitro's trace.

usage: opencv_operations.py OUTPUT.npz [--cpu]
"""

import os
import sys

import cv2
import numpy

import pictures


def main():
    cpu = "--cpu" in sys.argv
    cv2.ocl.setUseOpenCL(not cpu)
    if cv2.ocl.useOpenCL() == cpu:
        sys.exit("OpenCV has no OpenCL device" if not cpu else "OpenCL cannot be switched off")
    device = cv2.ocl.Device_getDefault()
    if not cpu:
        print(f"device: {device.vendorName()}, {device.name()}, {device.version()}")

    colour = (pictures.scene(400, 304) * 255).astype(numpy.uint8)
    grey = colour[:, :, 1].copy()
    floats = colour[:, :, 0].astype(numpy.float32) / 255
    turn = cv2.getRotationMatrix2D((200, 152), 23, 0.9)
    tilt = numpy.array([[0.9, 0.1, 12], [-0.05, 1.1, 3], [2e-4, 1e-4, 1]])
    operations = {
        "blur": lambda of: cv2.blur(of(colour), (5, 5)),
        "gaussian": lambda of: cv2.GaussianBlur(of(floats), (9, 9), 2),
        "canny": lambda of: cv2.Canny(of(grey), 60, 120),
        "warp_affine": lambda of: cv2.warpAffine(of(colour), turn, (400, 304), flags=cv2.INTER_LINEAR),
        "warp_perspective": lambda of: cv2.warpPerspective(of(grey), tilt, (400, 304), flags=cv2.INTER_CUBIC),
        "median": lambda of: cv2.medianBlur(of(grey), 5),
        "median_colour": lambda of: cv2.medianBlur(of(colour), 3),
        "histogram": lambda of: cv2.calcHist([of(grey)], [0], None, [256], [0, 256]),
        "equalize": lambda of: cv2.equalizeHist(of(grey)),
        "resize": lambda of: cv2.resize(of(floats), (173, 131), interpolation=cv2.INTER_LINEAR),
        "lab": lambda of: cv2.cvtColor(of(colour), cv2.COLOR_BGR2Lab),
        "dilate": lambda of: cv2.dilate(of(grey), numpy.ones((5, 5), numpy.uint8)),
        "sobel": lambda of: cv2.Sobel(of(floats), cv2.CV_32F, 1, 1, ksize=3),
        "bilateral": lambda of: cv2.bilateralFilter(of(grey), 7, 40, 3),
        "pyramid": lambda of: cv2.pyrDown(of(colour)),
        "template": lambda of: cv2.matchTemplate(of(grey), of(grey[40:56, 80:96].copy()), cv2.TM_SQDIFF),
        "corners": lambda of: cv2.cornerHarris(of(grey), 3, 3, 0.04),
    }
    results = {}
    for name, operation in operations.items():
        os.write(2, f"operation {name}\n".encode())
        result = operation(lambda array: array if cpu else cv2.UMat(array))
        results[name] = result if cpu else result.get()
    numpy.savez(sys.argv[1], **results)


if __name__ == "__main__":
    main()
