# Compile through ccache when it is there. A preset cannot say "if found", so the presets include this file at the
# first project() call; an explicit -DCMAKE_CXX_COMPILER_LAUNCHER=... (also an empty one) wins.

find_program(VITRO_CCACHE ccache)
mark_as_advanced(VITRO_CCACHE)
if(VITRO_CCACHE)
  foreach(language C CXX)
    if(NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER ${VITRO_CCACHE})
    endif()
  endforeach()
endif()
