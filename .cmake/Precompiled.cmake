# leno_precompile(TARGET HEADER...): headers that many files of a target read are compiled once, as they are half of a
# build's time. Not where a launcher is set: ccache keeps the files one by one. Each file still includes what it uses.
function(leno_precompile target)
  if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
    list(TRANSFORM ARGN REPLACE ">" "$<ANGLE-R>")
    list(TRANSFORM ARGN PREPEND "$<$<COMPILE_LANGUAGE:CXX>:")
    list(TRANSFORM ARGN APPEND ">")
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()
set(LENO_COMMON_HEADERS <functional> <map> <optional> <string> <vector> <llvm/ADT/STLExtras.h> <llvm/ADT/StringExtras.h>
    <llvm/Support/Endian.h> <llvm/Support/Error.h> <llvm/Support/FormatVariadic.h>
    <llvm/Support/raw_ostream.h>)
