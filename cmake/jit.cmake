# The compiler of EU programs, src/jit, as a library of its own, libvitro_jit.so, that is loaded when the first program is
# to be compiled (src/code/compiler.cpp). LLVM is in it as a whole: it meets no other LLVM of the program it is loaded
# into, brings no other C++ run time, and leaves nothing to be destroyed at exit, when a thread may still be compiling
# (--wrap).

if(NOT LLVM_FOUND)
  message(FATAL_ERROR "VITRO_JIT needs LLVM 19 (Debian: llvm-19-dev)")
endif()
target_compile_options(vitro_jit PRIVATE -Wno-unused-parameter -fvisibility=hidden)
target_include_directories(vitro_jit SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
execute_process(COMMAND ${LLVM_TOOLS_BINARY_DIR}/llvm-config --link-static --libfiles x86codegen passes
                OUTPUT_VARIABLE llvm_archives OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(llvm_archives)
# LLVM can compress debug information; Debian has these libraries wherever LLVM is, but not all of their links.
find_library(ZLIB_LIBRARY NAMES z libz.so.1 REQUIRED)
find_library(ZSTD_LIBRARY NAMES zstd libzstd.so.1 REQUIRED)
target_link_libraries(vitro_jit PUBLIC ${llvm_archives} ${ZLIB_LIBRARY} ${ZSTD_LIBRARY} ${CMAKE_DL_LIBS})

set(jit_exports ${PROJECT_BINARY_DIR}/generated/vitro_jit.map)
file(CONFIGURE OUTPUT ${jit_exports} CONTENT "{ global: vitro_jit_compile; local: *; };\n")
add_library(vitro_compiler SHARED ${PROJECT_SOURCE_DIR}/src/jit/library/no_destructors.cpp
            ${PROJECT_SOURCE_DIR}/src/i915/preload/fmt_code.cpp)
target_compile_options(vitro_compiler PRIVATE ${VITRO_WARNINGS} -fvisibility=hidden)
target_link_libraries(vitro_compiler PRIVATE vitro_jit)
target_link_options(vitro_compiler PRIVATE -static-libstdc++ -static-libgcc -Wl,--undefined=vitro_jit_compile
                    -Wl,--wrap=__cxa_atexit -Wl,--gc-sections -Wl,--as-needed -Wl,-z,nodelete
                    -Wl,--version-script=${jit_exports})
# With clang the sanitizers' own functions are in the program, where a library finds them when it is loaded.
if(NOT (CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND CMAKE_CXX_FLAGS MATCHES "-fsanitize="))
  target_link_options(vitro_compiler PRIVATE -Wl,-z,defs)
endif()
set_target_properties(vitro_compiler PROPERTIES OUTPUT_NAME vitro_jit LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
                      LINK_DEPENDS ${jit_exports})

# The tests of `eu` once more, with the compiler beside the interpreter: jit_test.cpp compares each of their programs.
if(TARGET jit_test)
  file(GLOB eu_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/eu/*_test.cpp)
  list(FILTER eu_tests EXCLUDE REGEX "/opcode_coverage_test\\.cpp$")
  target_sources(jit_test PRIVATE ${eu_tests})
  # It makes code of its own.
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/jit/lane_values_test.cpp PROPERTIES
                              COMPILE_OPTIONS "-isystem;${LLVM_INCLUDE_DIRS};-Wno-psabi")
endif()
