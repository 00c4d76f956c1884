# What recordings are compressed with. Both libraries are linked as archives: they go into other people's programs with
# libvitro_preload.so, which may have their own.
find_library(VITRO_ZSTD NAMES libzstd.a REQUIRED)
find_library(VITRO_ZLIB NAMES libz.a REQUIRED)
mark_as_advanced(VITRO_ZSTD VITRO_ZLIB)
target_link_libraries(vitro_recording PUBLIC ${VITRO_ZSTD} ${VITRO_ZLIB})
