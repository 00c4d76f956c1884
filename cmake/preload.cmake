# The library that `vitro run` puts in front of the C library (src/i915/preload), and the trees of names that it shows.
# It goes into other people's programs, so it brings the C++ run time and fmt along, hidden, and exports nothing but the
# functions it interposes; these are found in the sources, where INTERPOSE(name, ...) names them.

set(preload_folder ${PROJECT_SOURCE_DIR}/src/i915/preload)
file(GLOB preload_sources CONFIGURE_DEPENDS ${preload_folder}/*.cpp)
list(FILTER preload_sources EXCLUDE REGEX "/make_tree\\.cpp$|_test\\.cpp$")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${preload_sources})

set(exported "syscall;")
foreach(source ${preload_sources})
  file(STRINGS ${source} lines REGEX "^INTERPOSE\\(")
  foreach(line ${lines})
    string(REGEX REPLACE "^INTERPOSE\\(([A-Za-z0-9_]+),.*" "\\1" name "${line}")
    string(APPEND exported " ${name};")
  endforeach()
endforeach()
set(export_list ${PROJECT_BINARY_DIR}/vitro_preload.map)
file(CONFIGURE OUTPUT ${export_list} CONTENT "{ global: @exported@ local: *; };\n" @ONLY)

add_library(vitro_preload SHARED ${preload_sources})
target_compile_options(vitro_preload PRIVATE ${VITRO_WARNINGS} -fvisibility=hidden -fno-builtin)
target_link_libraries(vitro_preload PRIVATE vitro_i915 ${CMAKE_DL_LIBS})
# as-needed: nothing of the shared fmt is needed, fmt_code.cpp has it. z,nodelete: threads and hooks outlive dlclose.
target_link_options(vitro_preload PRIVATE -static-libstdc++ -static-libgcc -Wl,--as-needed -Wl,-z,nodelete
                    -Wl,-z,defs -Wl,--version-script=${export_list})
set_target_properties(vitro_preload PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} LINK_DEPENDS ${export_list})

add_executable(make_tree ${preload_folder}/make_tree.cpp)
target_compile_options(make_tree PRIVATE ${VITRO_WARNINGS})
target_link_libraries(make_tree PRIVATE vitro_gen)
set(tree_stamp ${PROJECT_BINARY_DIR}/share/vitro/tree.stamp)
add_custom_command(OUTPUT ${tree_stamp} COMMAND make_tree ${PROJECT_BINARY_DIR}/share/vitro/tree
                   COMMAND ${CMAKE_COMMAND} -E touch ${tree_stamp} DEPENDS make_tree COMMENT "Writing the trees of /dev and /sys")
add_custom_target(device_tree ALL DEPENDS ${tree_stamp})
add_dependencies(vitro_preload device_tree)
add_dependencies(vitro vitro_preload) # `vitro run` needs it at run time
if(VITRO_JIT)
  add_dependencies(vitro_preload vitro_compiler) # loaded at run time
endif()
