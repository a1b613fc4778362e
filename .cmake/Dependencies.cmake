# Values are kept in registers and files as a 64-bit little-endian host has them, throughout: bits would be wrong elsewhere.
if(NOT CMAKE_SIZEOF_VOID_P EQUAL 8)
  message(FATAL_ERROR "Leno runs on 64-bit hosts only: addresses of this one (${CMAKE_SYSTEM_PROCESSOR}) have "
                      "${CMAKE_SIZEOF_VOID_P} bytes. Use a 64-bit compiler, without -m32.")
endif()
if(NOT CMAKE_CXX_BYTE_ORDER STREQUAL "LITTLE_ENDIAN")
  message(FATAL_ERROR "Leno runs on little-endian hosts only: this one (${CMAKE_SYSTEM_PROCESSOR}) is big-endian.")
endif()

# Every dependency is a Debian package. All missing ones are named together,
# so that a user installs once; test/setup (called by both README commands) does it for them.
set(LENO_MISSING "")

macro(leno_need found package what)
  if(NOT ${found})
    list(APPEND LENO_MISSING "  ${package}  (${what})")
  endif()
endmacro()

# The version range is LLVM's own way: a bare major number is refused by its version file.
find_package(LLVM 22.1...<23 QUIET CONFIG HINTS /usr/lib/llvm-22)
leno_need(LLVM_FOUND llvm-22-dev "MC, Object, DebugInfo, Support libraries")
if(CMAKE_CROSSCOMPILING) # tools are the host's: those beside its compiler
  get_filename_component(LLVM_TOOLS_BINARY_DIR ${CMAKE_CXX_COMPILER} REALPATH)
  get_filename_component(LLVM_TOOLS_BINARY_DIR ${LLVM_TOOLS_BINARY_DIR} DIRECTORY)
endif()
# What systems call differently, or lack, is linked statically, so that programs run elsewhere as they are.
foreach(library edit:libedit-dev bsd:libbsd-dev md:libmd-dev tinfo:libncurses-dev z:zlib1g-dev zstd:libzstd-dev)
  string(REPLACE ":" ";" library ${library})
  list(GET library 0 name)
  list(GET library 1 package)
  find_library(LENO_STATIC_${name} lib${name}.a)
  leno_need(LENO_STATIC_${name} ${package} "lib${name}.a")
endforeach()
foreach(target ZLIB::ZLIB:z zstd::libzstd_shared:zstd) # LLVM's libraries ask for them by these names
  string(REGEX MATCH "(.*):(.*)" target ${target})
  if(TARGET ${CMAKE_MATCH_1})
    set_target_properties(${CMAKE_MATCH_1} PROPERTIES IMPORTED_LOCATION ${LENO_STATIC_${CMAKE_MATCH_2}}
                                                      IMPORTED_LOCATION_RELEASE ${LENO_STATIC_${CMAKE_MATCH_2}})
  endif()
endforeach()
find_package(CLI11 QUIET CONFIG)
leno_need(CLI11_FOUND libcli11-dev "command lines")
find_package(GTest QUIET)
leno_need(GTest_FOUND libgtest-dev "unit tests")
find_package(benchmark QUIET CONFIG)
leno_need(benchmark_FOUND libbenchmark-dev "micro-benchmarks")
find_path(LENO_MPFR_INCLUDE mpfr.h)
find_library(LENO_MPFR mpfr)
find_library(LENO_GMP gmp)
leno_need(LENO_MPFR libmpfr-dev "the reference of the floating-point tests")
# The system's Python, which sees Debian's Python packages.
find_program(LENO_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(LENO_PYTHON python3)
leno_need(LENO_PYTHON python3 "generators and lit")
if(NOT CMAKE_CROSSCOMPILING)
  find_path(LENO_PYBIND11 pybind11/pybind11.h)
  leno_need(LENO_PYBIND11 pybind11-dev "the Python module")
endif()
find_program(LENO_TBLGEN llvm-tblgen HINTS ${LLVM_TOOLS_BINARY_DIR} NO_DEFAULT_PATH)
leno_need(LENO_TBLGEN llvm-22 "llvm-tblgen")
find_program(LENO_LIT lit HINTS ${LLVM_TOOLS_BINARY_DIR} NO_DEFAULT_PATH)
leno_need(LENO_LIT llvm-22-tools "lit and FileCheck")

if(LENO_MISSING)
  list(JOIN LENO_MISSING "\n" LENO_MISSING)
  message(FATAL_ERROR "Leno needs these packages (Debian's names):\n${LENO_MISSING}\n"
                      "On Debian or Ubuntu, test/setup installs them.")
endif()
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "Leno is compiled with clang (package clang-22): its vector types carry the 32 lanes. "
                      "Use a preset, or -DCMAKE_CXX_COMPILER=clang++-22.")
endif()
