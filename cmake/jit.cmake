# The compiler of EU programs: src/eu/jit, four of whose files include LLVM's headers. LLVM comes as a shared library.

if(NOT LLVM_FOUND)
  message(FATAL_ERROR "VITRO_JIT needs LLVM 19 (Debian: llvm-19-dev)")
endif()
target_compile_definitions(vitro_eu PUBLIC VITRO_JIT=1)
set_source_files_properties(
  ${PROJECT_SOURCE_DIR}/src/eu/jit/arithmetic.cpp ${PROJECT_SOURCE_DIR}/src/eu/jit/emit.cpp
  ${PROJECT_SOURCE_DIR}/src/eu/jit/engine.cpp ${PROJECT_SOURCE_DIR}/src/eu/jit/transfers.cpp
  PROPERTIES COMPILE_OPTIONS "-isystem${LLVM_INCLUDE_DIRS};-Wno-unused-parameter")
target_link_directories(vitro_eu PUBLIC ${LLVM_LIBRARY_DIRS})
target_link_libraries(vitro_eu PUBLIC LLVM-19)
