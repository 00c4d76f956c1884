# What is installed, and the Debian packages of it (tools/make_packages): `vitro` with the program, the library it
# preloads and the trees of names, and `vitro-jit` with the compiler, which has LLVM in it. The program finds the library
# in ../lib/vitro, and that one the trees in ../../share/vitro, wherever the prefix is.

include(GNUInstallDirs)
install(TARGETS vitro RUNTIME COMPONENT vitro)
install(TARGETS vitro_preload LIBRARY DESTINATION lib/vitro COMPONENT vitro)
install(DIRECTORY ${PROJECT_BINARY_DIR}/share/vitro/tree DESTINATION ${CMAKE_INSTALL_DATADIR}/vitro
        USE_SOURCE_PERMISSIONS COMPONENT vitro)
install(DIRECTORY ${PROJECT_BINARY_DIR}/share/man/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT vitro
        FILES_MATCHING PATTERN "*.gz")
foreach(shell bash-completion zsh fish)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/share/${shell} DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT vitro)
endforeach()
set(components vitro)
if(VITRO_JIT)
  install(TARGETS vitro_compiler LIBRARY DESTINATION lib/vitro COMPONENT jit)
  list(APPEND components jit)
endif()

# The documents that Debian asks for in every package.
set(debian_version ${PROJECT_VERSION}-1)
set(maintainer "The vitro authors <vitro@example.org>")
set(documents ${PROJECT_BINARY_DIR}/generated/documents)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(CONFIGURE OUTPUT ${documents}/changelog.Debian @ONLY CONTENT
"vitro (@debian_version@) unstable; urgency=medium

  * Packages of vitro @PROJECT_VERSION@, made by its own build.

 -- @maintainer@  @date@
")
file(READ ${PROJECT_SOURCE_DIR}/LICENSE license)
string(REGEX REPLACE "^MIT License\n\n(Copyright[^\n]*)\n\n" "" license "${license}")
set(copyright ${CMAKE_MATCH_1})
string(REGEX REPLACE "^Copyright \\(c\\) " "" copyright "${copyright}")
string(STRIP "${license}" license)
string(REGEX REPLACE "\n\n" "\n.\n" license "${license}")
string(REPLACE "\n" "\n " license "${license}")
file(CONFIGURE OUTPUT ${documents}/copyright @ONLY CONTENT
"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: vitro
Comment: The libraries have code in them of {fmt} (Expat) and of GCC's run-time
 libraries (GPL-3+ with the GCC Runtime Library Exception), the one of
 vitro-jit also of LLVM (Apache-2.0 with LLVM exceptions); see the copyright
 files of the packages libfmt-dev, libstdc++6 and llvm-19-dev.

Files: *
Copyright: @copyright@
License: Expat

License: Expat
 @license@
")
# Files below tree/ are what programs see in /dev and /sys: modes and links are the kernel's. The scripts are CPack's,
# for any library two folders below /usr. What compresses recordings is linked as an archive (recording.cmake).
set(overrides_vitro "non-standard-file-perm 0444 != 0644 [usr/share/vitro/tree/*]"
    "lengthy-symlink * [usr/share/vitro/tree/*]" "embedded-library zlib *")
set(overrides_jit)
foreach(component ${components})
  string(REPLACE jit vitro-jit package ${component})
  set(lines ${overrides_${component}} "maintscript-calls-ldconfig *" "initial-upload-closes-no-bugs *")
  list(TRANSFORM lines PREPEND "${package}: ")
  list(JOIN lines "\n" lines)
  file(CONFIGURE OUTPUT ${documents}/overrides-${package} @ONLY CONTENT "@lines@\n")
endforeach()
foreach(document changelog.Debian changelog)
  set(source ${documents}/changelog.Debian)
  if(document STREQUAL changelog)
    set(source ${PROJECT_SOURCE_DIR}/CHANGELOG.md)
  endif()
  add_custom_command(OUTPUT ${documents}/${document}.gz DEPENDS ${source}
                     COMMAND sh -c "gzip -9nc ${source} > ${documents}/${document}.gz" VERBATIM)
endforeach()
add_custom_target(package_documents ALL DEPENDS ${documents}/changelog.Debian.gz ${documents}/changelog.gz)
foreach(component ${components})
  string(REPLACE jit vitro-jit package ${component})
  install(FILES ${documents}/copyright ${documents}/changelog.Debian.gz ${documents}/changelog.gz
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
  install(FILES ${documents}/overrides-${package} DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
          RENAME ${package} COMPONENT ${component})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME vitro)
set(CPACK_PACKAGE_CONTACT "${maintainer}")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
    WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL ${components})
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_VITRO_PACKAGE_NAME vitro)
if(VITRO_JIT)
  set(CPACK_DEBIAN_VITRO_PACKAGE_RECOMMENDS "vitro-jit (= ${debian_version})")
endif()
set(CPACK_DEBIAN_VITRO_PACKAGE_SUGGESTS
    "intel-opencl-icd, ocl-icd-libopencl1, libze1, mesa-vulkan-drivers, libvulkan1, libgl1-mesa-dri, libegl1, clinfo")
set(CPACK_COMPONENT_VITRO_DESCRIPTION "Intel GPU in software
Unmodified programs and drivers (Intel's OpenCL and Level Zero, Mesa's Vulkan
and OpenGL) see an Intel GPU, and what they submit is executed on the CPU. No
rights and no kernel module are needed. With an assembler, a disassembler and
a debugger's view of the execution units.")
set(CPACK_DEBIAN_JIT_PACKAGE_NAME vitro-jit)
set(CPACK_DEBIAN_JIT_PACKAGE_DEPENDS "vitro (= ${debian_version})")
set(CPACK_COMPONENT_JIT_DESCRIPTION "Intel GPU in software: compiler
Programs for the execution units of the emulated GPU that run long are
compiled to machine code of the host, with LLVM. Without this package they are
interpreted, which is slower.")
include(CPack)
