# The compiler of EU programs, src/eu/jit. What includes LLVM's headers goes into a library of its own, libvitro_jit.so,
# that is loaded when the first program is to be compiled (library.cpp). LLVM is in it as a whole: it meets no other LLVM
# of the program it is loaded into, brings no other C++ run time, and leaves nothing to be destroyed at exit, when a
# thread may still be compiling (--wrap). The rest of the room needs no LLVM.

if(NOT LLVM_FOUND)
  message(FATAL_ERROR "VITRO_JIT needs LLVM 19 (Debian: llvm-19-dev)")
endif()
target_compile_definitions(vitro_eu PUBLIC VITRO_JIT=1)

set(jit_folder ${PROJECT_SOURCE_DIR}/src/eu/jit)
# All but what a program with code already made needs.
file(GLOB generator_sources CONFIGURE_DEPENDS ${jit_folder}/*.cpp)
list(FILTER generator_sources EXCLUDE REGEX "/(control|host|image|library|link|native|runtime)\\.cpp$|_test\\.cpp$")
get_target_property(eu_sources vitro_eu SOURCES)
list(REMOVE_ITEM eu_sources ${generator_sources})
set_target_properties(vitro_eu PROPERTIES SOURCES "${eu_sources}")
list(REMOVE_ITEM generator_sources ${jit_folder}/lasting.cpp)

# Kept code is of one state of the sources: a name for what it depends on, made anew when a file changes.
file(GLOB_RECURSE named_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/base/* ${PROJECT_SOURCE_DIR}/src/isa/*
     ${PROJECT_SOURCE_DIR}/src/eu/* ${PROJECT_SOURCE_DIR}/src/shared/* ${PROJECT_SOURCE_DIR}/src/gen/*)
list(FILTER named_sources EXCLUDE REGEX "_test\\.(cpp|h)$")
set(sources_header ${PROJECT_BINARY_DIR}/generated/jit_sources.h)
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
string(SHA256 build_flags "${build_type} ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}} ${LLVM_PACKAGE_VERSION}")
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/jit_sources.cmake @ONLY CONTENT [[
set(all "@build_flags@")
foreach(source @named_sources@)
  file(SHA256 ${source} one)
  string(APPEND all ${one})
endforeach()
string(SHA256 all "${all}")
file(CONFIGURE OUTPUT "@sources_header@" CONTENT "#define VITRO_JIT_SOURCES \"${all}\"\n")
]])
add_custom_command(OUTPUT ${sources_header}
                   COMMAND ${CMAKE_COMMAND} -P ${PROJECT_BINARY_DIR}/generated/jit_sources.cmake
                   COMMAND ${CMAKE_COMMAND} -E touch ${sources_header}
                   DEPENDS ${named_sources} COMMENT "Naming the sources of compiled code")
add_custom_target(jit_sources DEPENDS ${sources_header})
add_dependencies(vitro_eu jit_sources)
set_source_files_properties(${jit_folder}/host.cpp PROPERTIES
                            OBJECT_DEPENDS ${sources_header} COMPILE_OPTIONS -I${PROJECT_BINARY_DIR}/generated)

add_library(vitro_generator STATIC ${generator_sources})
target_compile_options(vitro_generator PRIVATE ${VITRO_WARNINGS} -Wno-unused-parameter -fvisibility=hidden)
target_include_directories(vitro_generator SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
execute_process(COMMAND ${LLVM_TOOLS_BINARY_DIR}/llvm-config --link-static --libfiles x86codegen passes
                OUTPUT_VARIABLE llvm_archives OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(llvm_archives)
# LLVM can compress debug information; Debian has these libraries wherever LLVM is, but not all of their links.
find_library(ZLIB_LIBRARY NAMES z libz.so.1 REQUIRED)
find_library(ZSTD_LIBRARY NAMES zstd libzstd.so.1 REQUIRED)
target_link_libraries(vitro_generator PUBLIC vitro_eu ${llvm_archives} ${ZLIB_LIBRARY} ${ZSTD_LIBRARY} ${CMAKE_DL_LIBS})

set(jit_exports ${PROJECT_BINARY_DIR}/generated/vitro_jit.map)
file(CONFIGURE OUTPUT ${jit_exports} CONTENT "{ global: vitro_jit_generate; local: *; };\n")
add_library(vitro_jit SHARED ${jit_folder}/lasting.cpp ${PROJECT_SOURCE_DIR}/src/i915/preload/fmt_code.cpp)
target_compile_options(vitro_jit PRIVATE ${VITRO_WARNINGS} -fvisibility=hidden)
target_link_libraries(vitro_jit PRIVATE vitro_generator)
target_link_options(vitro_jit PRIVATE -static-libstdc++ -static-libgcc -Wl,--undefined=vitro_jit_generate
                    -Wl,--wrap=__cxa_atexit -Wl,--gc-sections -Wl,--as-needed -Wl,-z,nodelete
                    -Wl,--version-script=${jit_exports})
# With clang the sanitizers' own functions are in the program, where a library finds them when it is loaded.
if(NOT (CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND CMAKE_CXX_FLAGS MATCHES "-fsanitize="))
  target_link_options(vitro_jit PRIVATE -Wl,-z,defs)
endif()
set_target_properties(vitro_jit PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} LINK_DEPENDS ${jit_exports})
if(VITRO_TESTS)
  target_link_libraries(eu_test PRIVATE vitro_generator) # its generator of programs asks the compiler's analysis
endif()
