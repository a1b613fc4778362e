# What `cmake --install` puts where, and the CMake package that other projects find: find_package(Leno), then
# target_link_libraries(program Leno::runtime).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(TARGET leno-compiler)
  install(TARGETS leno-compiler LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(TARGETS leno-as leno-cc leno-ld leno-objdump leno-run leno-dbg leno-bench
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

set_target_properties(LenoRuntime PROPERTIES EXPORT_NAME runtime)
set_target_properties(LenoEmu PROPERTIES EXPORT_NAME emu)
set_target_properties(LenoAsm PROPERTIES EXPORT_NAME asm)
install(TARGETS LenoRuntime LenoEmu LenoAsm EXPORT LenoTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY runtime/include/leno runtime/include/leno-c DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

if(TARGET LenoOpenCL)
  install(TARGETS LenoOpenCL LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  # Where loaders look under /etc; elsewhere OCL_ICD_VENDORS names the folder.
  install(CODE "file(WRITE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_SYSCONFDIR}/OpenCL/vendors/leno.icd\"
    \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/libLenoOpenCL.so\\n\")")
endif()

set(LENO_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Leno)
install(EXPORT LenoTargets NAMESPACE Leno:: DESTINATION ${LENO_CMAKE_DIR})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/LenoConfig.cmake.in ${CMAKE_BINARY_DIR}/LenoConfig.cmake
                              INSTALL_DESTINATION ${LENO_CMAKE_DIR})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/LenoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/LenoConfig.cmake ${CMAKE_BINARY_DIR}/LenoConfigVersion.cmake
        DESTINATION ${LENO_CMAKE_DIR})

install(DIRECTORY isa/editors DESTINATION ${CMAKE_INSTALL_DATADIR}/leno)
install(DIRECTORY dbg/vscode/ DESTINATION ${CMAKE_INSTALL_DATADIR}/leno/editors/vscode-debug)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/leno PATTERN __pycache__ EXCLUDE
        PATTERN CMakeLists.txt EXCLUDE PATTERN *.md EXCLUDE)
# The documents keep their places to each other, and their links lead to what is installed.
install(CODE "execute_process(COMMAND \"${LENO_PYTHON}\" \"${CMAKE_CURRENT_LIST_DIR}/documents.py\"
  \"${CMAKE_SOURCE_DIR}\" \"${CMAKE_BINARY_DIR}/documents\" \"${CMAKE_INSTALL_DOCDIR}\"
  runtime/include=${CMAKE_INSTALL_INCLUDEDIR} examples=${CMAKE_INSTALL_DATADIR}/leno/examples
  isa/editors=${CMAKE_INSTALL_DATADIR}/leno/editors dbg/vscode=${CMAKE_INSTALL_DATADIR}/leno/editors/vscode-debug
  COMMAND_ERROR_IS_FATAL ANY)")
install(DIRECTORY ${CMAKE_BINARY_DIR}/documents/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
