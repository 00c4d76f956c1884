# A room is a folder below src/ and one static library. Its unit tests stand beside the code as *_test.cpp and become
# one test program per room. Sources are found by pattern, so adding a file needs no edit here. WITHOUT names a
# sub-folder that is built apart.

set(VITRO_WARNINGS -Wall -Wextra -Werror -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  list(APPEND VITRO_WARNINGS -Wno-restrict) # GCC 12 sees overlaps in std::string's operator+ that are not there (PR 105651)
endif()
# One float semantic everywhere: the compiler may not fuse or reassociate behind our back.
set(VITRO_CODEGEN -ffp-contract=off)

function(vitro_room name)
  cmake_parse_arguments(ROOM "" "PROGRAM;WITHOUT" "USES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp ${PROJECT_SOURCE_DIR}/src/${name}/*/*.cpp)
  if(ROOM_WITHOUT)
    list(FILTER sources EXCLUDE REGEX "/src/${name}/${ROOM_WITHOUT}/")
  endif()
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  set(main ${PROJECT_SOURCE_DIR}/src/${name}/main.cpp)
  list(REMOVE_ITEM sources ${main})

  if(sources)
    add_library(vitro_${name} STATIC ${sources})
    set(scope PUBLIC)
    target_compile_options(vitro_${name} PRIVATE ${VITRO_WARNINGS})
  else() # a room of headers only
    add_library(vitro_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(vitro_${name} ${scope} ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(vitro_${name} ${scope} ${VITRO_CODEGEN})
  target_link_libraries(vitro_${name} ${scope} fmt::fmt tl::expected)
  foreach(used ${ROOM_USES})
    target_link_libraries(vitro_${name} ${scope} vitro_${used})
  endforeach()

  # How a vector of 32 bytes is passed depends on the host a function is compiled for; those of lanes/eight.h are
  # inlined, or go by reference.
  set(vectors)
  if(name STREQUAL lanes OR "lanes" IN_LIST ROOM_USES)
    set(vectors -Wno-psabi)
    if(sources)
      target_compile_options(vitro_${name} PRIVATE ${vectors})
    endif()
  endif()

  if(ROOM_PROGRAM)
    add_executable(${ROOM_PROGRAM} ${main})
    target_compile_options(${ROOM_PROGRAM} PRIVATE ${VITRO_WARNINGS})
    target_link_libraries(${ROOM_PROGRAM} PRIVATE vitro_${name})
    set_target_properties(${ROOM_PROGRAM} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  endif()

  if(VITRO_TESTS AND tests)
    add_executable(${name}_test ${tests})
    target_compile_options(${name}_test PRIVATE ${VITRO_WARNINGS} ${vectors})
    # Unit tests may build models of a generation, so they may reach up to gen.
    target_link_libraries(${name}_test PRIVATE vitro_${name} vitro_gen GTest::gtest_main)
    if(VITRO_JIT)
      add_dependencies(${name}_test vitro_compiler) # loaded at run time
    endif()
    add_test(NAME ${name} COMMAND ${name}_test)
  endif()
endfunction()
