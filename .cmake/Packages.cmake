# Packages, by CPack: cmake --build --preset release --target packages writes into .build/release/packages
#   leno, leno-dev, leno-doc, python3-leno     Debian packages, for Debian 12
#   leno-VERSION-x86_64-linux.tar.xz           everything, for any folder of any Linux with its C library or a newer one
set(CPACK_GENERATOR DEB TXZ)
set(CPACK_PACKAGE_NAME leno)
set(CPACK_PACKAGE_VENDOR "Leno developers")
set(CPACK_PACKAGE_CONTACT "Leno developers <developers@leno.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
string(TOLOWER ${CMAKE_SYSTEM_NAME} system)
set(CPACK_PACKAGE_FILE_NAME leno-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR}-${system})
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
    WORLD_EXECUTE)
# What differs between the two kinds, and the time that all files have.
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/PackageKinds.cmake)
set(CPACK_LENO_COMMIT_FILE ${LENO_COMMIT_FILE})

set(CPACK_COMPONENTS_ALL tools development documents)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME leno)
set(CPACK_COMPONENT_TOOLS_DESCRIPTION "SIMT toolchain: assembler, compiler, emulator, debugger
 Tools for a SIMT machine, the kind a GPU is: assembler, linker,
 disassembler, leno-cc for C and OpenCL C, leno-run, a debugger that steps
 warps forwards and back, and an OpenCL driver.")
set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)
# clang-22 is in Debian 12's security updates; what needs it says so when it is not there.
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "clang-22, ocl-icd-libopencl1 | libopencl1")
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS "leno-dev, leno-doc, python3-leno, graphviz, llvm-spirv-15")
if(TARGET LenoOpenCL)
  file(WRITE ${CMAKE_BINARY_DIR}/conffiles "/etc/OpenCL/vendors/leno.icd\n")
  set(CPACK_DEBIAN_TOOLS_PACKAGE_CONTROL_EXTRA ${CMAKE_BINARY_DIR}/conffiles)
endif()

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME leno-dev)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "SIMT toolchain: libraries for C++ and C
 Headers, static libraries and the CMake package of Leno, with which
 programs in C++20 and C run kernels.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
# As the libraries' CMake package asks for them.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "llvm-22-dev (>= 1:22.1), zlib1g-dev, libzstd-dev, libstdc++-12-dev | libstdc++-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "cmake, g++ | clang-22")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "leno, leno-doc")

set(CPACK_DEBIAN_DOCUMENTS_PACKAGE_NAME leno-doc)
set(CPACK_COMPONENT_DOCUMENTS_DESCRIPTION "SIMT toolchain: manuals and examples
 The manual of Leno's instruction set, its architecture, tutorials, and
 examples of kernels with their data.")
set(CPACK_DEBIAN_DOCUMENTS_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOCUMENTS_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOCUMENTS_PACKAGE_SUGGESTS leno)

set(LENO_PACKED ${LENO_PROGRAMS} LenoRuntime LenoEmu LenoAsm)
if(TARGET leno_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
  list(APPEND LENO_PACKED leno_python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-leno)
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "SIMT toolchain: Python module
 The module leno: assembles, compiles and runs kernels over numpy arrays.")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
  # The module is of this very version of Python.
  execute_process(COMMAND ${LENO_PYTHON} -c "import sys; print('python3 (>= 3.%d), python3 (<< 3.%d)' % (sys.version_info[1], sys.version_info[1] + 1))"
                  OUTPUT_VARIABLE python OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "${python}, python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS clang-22)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "leno, leno-doc")
endif()
if(TARGET leno-compiler)
  list(APPEND CPACK_COMPONENTS_ALL compiler)
  list(APPEND LENO_PACKED leno-compiler leno-compile-region)
  set(CPACK_DEBIAN_COMPILER_PACKAGE_NAME leno-compiler)
  set(CPACK_COMPONENT_COMPILER_DESCRIPTION "SIMT toolchain: the compiled tier
 What makes machine code of kernels for leno-run --tier compiled or auto.")
  set(CPACK_DEBIAN_COMPILER_PACKAGE_SHLIBDEPS ON)
endif()
include(CPack)

add_custom_target(packages COMMAND ${CMAKE_COMMAND} -E rm -rf ${CPACK_PACKAGE_DIRECTORY} COMMAND ${CMAKE_CPACK_COMMAND}
                  USES_TERMINAL WORKING_DIRECTORY ${CMAKE_BINARY_DIR})
add_dependencies(packages ${LENO_PACKED})
