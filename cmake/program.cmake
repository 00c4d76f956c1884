# The program vitro beyond its room: its version, what its doctor is compiled with, and the manual pages and completions
# that are made from its command line (src/cli/pages).

target_compile_definitions(vitro_cli PRIVATE VITRO_VERSION="${PROJECT_VERSION}")
# Declarations only: the doctor opens the loaders at run time.
foreach(header CL/cl.h level_zero/ze_api.h vulkan/vulkan.h EGL/egl.h GLES3/gl31.h)
  string(MAKE_C_IDENTIFIER VITRO_HAS_${header} found)
  find_path(${found} ${header} REQUIRED)
  mark_as_advanced(${found})
endforeach()
target_link_libraries(vitro_cli PUBLIC ${CMAKE_DL_LIBS})

file(GLOB pages_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cli/pages/*.cpp)
add_executable(make_pages ${pages_sources})
target_compile_options(make_pages PRIVATE ${VITRO_WARNINGS})
target_compile_definitions(make_pages PRIVATE VITRO_VERSION="${PROJECT_VERSION}")
target_link_libraries(make_pages PRIVATE vitro_cli)
set(pages_stamp ${PROJECT_BINARY_DIR}/share/pages.stamp)
add_custom_command(OUTPUT ${pages_stamp} COMMAND make_pages ${PROJECT_BINARY_DIR}/share
                   COMMAND sh -c "gzip -9nkf ${PROJECT_BINARY_DIR}/share/man/man1/*.1"
                   COMMAND ${CMAKE_COMMAND} -E touch ${pages_stamp} DEPENDS make_pages
                   COMMENT "Writing manual pages and completions" VERBATIM)
add_custom_target(pages ALL DEPENDS ${pages_stamp})
