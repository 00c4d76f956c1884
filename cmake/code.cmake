# The room of machine code: whether there is a compiler, and a name for all sources that code depends on. Kept code is of
# one state of them; the name is made anew when a file changes.

if(VITRO_JIT)
  target_compile_definitions(vitro_code PUBLIC VITRO_JIT=1)
endif()
target_link_libraries(vitro_code PUBLIC ${CMAKE_DL_LIBS})

# Every room that the compiler is made of: all but those above it and beside it.
file(GLOB_RECURSE named_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.cpp ${PROJECT_SOURCE_DIR}/src/*.h
     ${PROJECT_SOURCE_DIR}/src/*.def)
list(FILTER named_sources EXCLUDE REGEX "/src/(device|i915|cli)/|_test\\.(cpp|h)$")
set(sources_header ${PROJECT_BINARY_DIR}/generated/code_sources.h)
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
string(SHA256 build_flags "${build_type} ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}} ${LLVM_PACKAGE_VERSION}")
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/code_sources.cmake @ONLY CONTENT [[
set(all "@build_flags@")
foreach(source @named_sources@)
  file(SHA256 ${source} one)
  string(APPEND all ${one})
endforeach()
string(SHA256 all "${all}")
file(CONFIGURE OUTPUT "@sources_header@" CONTENT "#define VITRO_CODE_SOURCES \"${all}\"\n")
]])
add_custom_command(OUTPUT ${sources_header}
                   COMMAND ${CMAKE_COMMAND} -P ${PROJECT_BINARY_DIR}/generated/code_sources.cmake
                   COMMAND ${CMAKE_COMMAND} -E touch ${sources_header}
                   DEPENDS ${named_sources} COMMENT "Naming the sources of compiled code")
add_custom_target(code_sources DEPENDS ${sources_header})
add_dependencies(vitro_code code_sources)
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/code/build.cpp PROPERTIES
                            OBJECT_DEPENDS ${sources_header} COMPILE_OPTIONS -I${PROJECT_BINARY_DIR}/generated)
