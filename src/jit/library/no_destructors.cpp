// Nothing in libvitro_jit.so is destroyed when the process ends: a thread may be inside at that moment, and the memory
// goes with the process anyway. The linker leads every registration of a destructor here (--wrap). PRM: none.
extern "C" int __wrap___cxa_atexit(void (*)(void*), void*, void*);
extern "C" int __wrap___cxa_atexit(void (*)(void*), void*, void*) { return 0; }
