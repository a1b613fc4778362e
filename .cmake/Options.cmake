# What people start.
set(LENO_TOOLS leno-as leno-cc leno-ld leno-objdump leno-run leno-dbg leno-bench)
# One set of flags for the whole tree, carried by an interface target.
add_library(leno-flags INTERFACE)
target_include_directories(leno-flags INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}
                                                ${CMAKE_SOURCE_DIR}/runtime/include)
target_include_directories(leno-flags SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_compile_definitions(leno-flags INTERFACE LENO_VERSION="${PROJECT_VERSION}")
# Bits are the product: no contraction, no reassociation, anywhere.
target_compile_options(leno-flags INTERFACE -ffp-contract=off -fno-fast-math -Wall -Wextra -Wno-unused-parameter -Wno-deprecated-declarations)
# What asserts say of their place is the same wherever it is built.
target_compile_options(leno-flags INTERFACE -fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=)
# LLVM names libraries (Z3) that nothing here calls.
target_link_options(leno-flags INTERFACE -Wl,--as-needed)

option(LENO_ASAN "Address and undefined-behaviour sanitizers" OFF)
if(LENO_ASAN)
  target_compile_options(leno-flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(leno-flags INTERFACE -fsanitize=address,undefined)
endif()
option(LENO_TSAN "Thread sanitizer" OFF)
if(LENO_TSAN)
  target_compile_options(leno-flags INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(leno-flags INTERFACE -fsanitize=thread)
endif()
option(LENO_FUZZ "Only the fuzzers, and what they fuzz, under the sanitizers" OFF)
if(LENO_FUZZ)
  # The packaged LLVM has no type information that -fsanitize=vptr and =function could use.
  target_compile_options(leno-flags INTERFACE -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=vptr,function
                         -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(leno-flags INTERFACE -fsanitize=address,undefined)
endif()
option(LENO_UNOBSERVED "Also leno-bench-unobserved, whose emulator nobody can watch; it takes minutes" OFF)
option(LENO_WERROR "Warnings are errors" OFF)
if(LENO_WERROR)
  target_compile_options(leno-flags INTERFACE -Werror)
endif()
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_options(leno-flags INTERFACE ${LLVM_DEFINITIONS_LIST})
