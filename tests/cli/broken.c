/* Stands for libOpenCL.so.1 in the test of vitro doctor: it is loaded, and its first function ends the program. The
   other functions are there to be found. */
#include <stdio.h>
#include <stdlib.h>

int clGetPlatformIDs(void) {
  fputs("broken: no topology\n", stderr);
  abort();
}

#define NEVER_CALLED(name) \
  int name(void) { return -1; }
NEVER_CALLED(clGetDeviceIDs)
NEVER_CALLED(clGetDeviceInfo)
NEVER_CALLED(clCreateContext)
NEVER_CALLED(clCreateCommandQueueWithProperties)
NEVER_CALLED(clCreateProgramWithSource)
NEVER_CALLED(clBuildProgram)
NEVER_CALLED(clCreateKernel)
NEVER_CALLED(clCreateBuffer)
NEVER_CALLED(clSetKernelArg)
NEVER_CALLED(clEnqueueNDRangeKernel)
NEVER_CALLED(clEnqueueReadBuffer)
