# What `cmake --install` puts where, and the CMake package that other projects find: find_package(Leno), then
# target_link_libraries(program Leno::runtime). Components are Debian's packages (Packages.cmake): tools, development,
# documents, compiler, and python, which runtime/python installs.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_DOCDIR ${CMAKE_INSTALL_DATADIR}/doc/leno)

install(TARGETS ${LENO_TOOLS} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
set(LENO_PROGRAMS ${LENO_TOOLS})
leno_tells_commit(${LENO_TOOLS})

if(TARGET leno-compiler)
  install(TARGETS leno-compiler LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT compiler)
  install(TARGETS leno-compile-region RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR}/leno COMPONENT compiler)
endif()

set_target_properties(LenoRuntime PROPERTIES EXPORT_NAME runtime)
set_target_properties(LenoEmu PROPERTIES EXPORT_NAME emu)
set_target_properties(LenoAsm PROPERTIES EXPORT_NAME asm)
install(TARGETS LenoRuntime LenoEmu LenoAsm EXPORT LenoTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY runtime/include/leno runtime/include/leno-c DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)

if(TARGET LenoOpenCL)
  list(APPEND LENO_PROGRAMS LenoOpenCL)
  install(TARGETS LenoOpenCL LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT tools)
  # Where loaders look under /etc; elsewhere OCL_ICD_VENDORS names the folder. What can be moved has no such file, as it names
  # a place: there OCL_ICD_VENDORS names the library.
  install(CODE "if(NOT DEFINED ENV{LENO_RELOCATABLE})
    set(etc \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_SYSCONFDIR}\")
    if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")
      set(etc /etc)
    endif()
    file(WRITE \"${CMAKE_BINARY_DIR}/leno.icd\" \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/libLenoOpenCL.so\\n\")
    file(INSTALL \"${CMAKE_BINARY_DIR}/leno.icd\" DESTINATION \"\${etc}/OpenCL/vendors\")
  endif()" COMPONENT tools)
endif()
# C++'s library goes into the programs, too. The sanitizers bring their own.
if(NOT LENO_ASAN AND NOT LENO_TSAN)
  foreach(program ${LENO_PROGRAMS})
    target_link_options(${program} PRIVATE -static-libstdc++ -static-libgcc)
  endforeach()
endif()

set(LENO_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Leno)
install(EXPORT LenoTargets NAMESPACE Leno:: DESTINATION ${LENO_CMAKE_DIR} COMPONENT development)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/LenoConfig.cmake.in ${CMAKE_BINARY_DIR}/LenoConfig.cmake
                              INSTALL_DESTINATION ${LENO_CMAKE_DIR})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/LenoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/LenoConfig.cmake ${CMAKE_BINARY_DIR}/LenoConfigVersion.cmake
        DESTINATION ${LENO_CMAKE_DIR} COMPONENT development)

# Manual pages and completions, of what the tools tell of their options.
list(TRANSFORM LENO_TOOLS REPLACE "(.+)" "\"${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/\\1\"" OUTPUT_VARIABLE programs)
list(JOIN programs " " programs)
install(CODE "set(zsh site-functions)
  if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")
    set(zsh vendor-completions) # Debian's name for what packages bring
  endif()
  include(\"${LENO_COMMIT_FILE}\")
  execute_process(COMMAND \"${LENO_PYTHON}\" \"${CMAKE_CURRENT_LIST_DIR}/pages.py\" --zsh \${zsh}
    --time \"\${LENO_COMMIT_TIME}\" \"${CMAKE_BINARY_DIR}/pages\" ${programs} COMMAND_ERROR_IS_FATAL ANY)" COMPONENT tools)
install(DIRECTORY ${CMAKE_BINARY_DIR}/pages/ DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT tools)

install(DIRECTORY isa/editors DESTINATION ${CMAKE_INSTALL_DATADIR}/leno COMPONENT tools)
install(DIRECTORY dbg/vscode/ DESTINATION ${CMAKE_INSTALL_DATADIR}/leno/editors/vscode-debug COMPONENT tools)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/leno COMPONENT documents PATTERN __pycache__ EXCLUDE
        PATTERN CMakeLists.txt EXCLUDE PATTERN *.md EXCLUDE)
# The documents keep their places to each other, and their links lead to what is installed.
install(CODE "execute_process(COMMAND \"${LENO_PYTHON}\" \"${CMAKE_CURRENT_LIST_DIR}/documents.py\"
  \"${CMAKE_SOURCE_DIR}\" \"${CMAKE_BINARY_DIR}/documents\" \"${CMAKE_INSTALL_DOCDIR}\"
  runtime/include=${CMAKE_INSTALL_INCLUDEDIR} examples=${CMAKE_INSTALL_DATADIR}/leno/examples
  isa/editors=${CMAKE_INSTALL_DATADIR}/leno/editors dbg/vscode=${CMAKE_INSTALL_DATADIR}/leno/editors/vscode-debug
  COMMAND_ERROR_IS_FATAL ANY)" COMPONENT documents)
install(DIRECTORY ${CMAKE_BINARY_DIR}/documents/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documents)

# Each package says of what rights it is, and what of others' work it contains. In installed order: package, component, and
# the Debian packages whose work is in it.
function(leno_notices package component)
  install(CODE "execute_process(COMMAND \"${LENO_PYTHON}\" \"${CMAKE_CURRENT_LIST_DIR}/notices.py\"
    \"${CMAKE_BINARY_DIR}/notices\" ${package} ${ARGN} COMMAND_ERROR_IS_FATAL ANY)" COMPONENT ${component})
  install(DIRECTORY ${CMAKE_BINARY_DIR}/notices/${package} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc COMPONENT ${component})
endfunction()
set(LENO_LINKED llvm-22-dev libcli11-dev zlib1g-dev libzstd-dev)
leno_notices(leno tools ${LENO_LINKED} libclc-22 libedit-dev libbsd-dev libmd-dev libncurses-dev libstdc++-12-dev
             opencl-c-headers)
leno_notices(leno-dev development llvm-22-dev libcli11-dev)
leno_notices(leno-doc documents)
if(TARGET leno-compiler)
  leno_notices(leno-compiler compiler)
endif()
if(TARGET leno_python)
  leno_notices(python3-leno python ${LENO_LINKED} pybind11-dev)
endif()
