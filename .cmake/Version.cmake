# The commit that a build is made of. Every build looks, as a commit may come without a change of any file, and writes what
# is new: then one object is compiled, and the tools that link it are linked.
#   LenoCommit      that object; LENO_COMMIT_FILE: its facts for scripts, LENO_COMMIT and LENO_COMMIT_TIME
# As a script: cmake -DSOURCE=FOLDER -DBUILD=FOLDER -P Version.cmake
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(LENO_COMMIT_FILE ${CMAKE_BINARY_DIR}/Commit.cmake)
  add_custom_target(LenoCommitFacts
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} -DBUILD=${CMAKE_BINARY_DIR} -P ${CMAKE_CURRENT_LIST_FILE}
    BYPRODUCTS ${CMAKE_BINARY_DIR}/Commit.cpp ${LENO_COMMIT_FILE} COMMENT "")
  add_library(LenoCommit OBJECT ${CMAKE_BINARY_DIR}/Commit.cpp)
  add_dependencies(LenoCommit LenoCommitFacts)
  set_target_properties(LenoCommit PROPERTIES POSITION_INDEPENDENT_CODE ON)
  # Of those tools that are built, each tells it.
  function(leno_tells_commit)
    foreach(tool ${ARGN})
      if(TARGET ${tool})
        target_sources(${tool} PRIVATE $<TARGET_OBJECTS:LenoCommit>)
      endif()
    endforeach()
  endfunction()
  return()
endif()
cmake_minimum_required(VERSION 3.25)

# What `git archive` has written into archived-commit, where the source is no repository.
file(READ ${CMAKE_CURRENT_LIST_DIR}/archived-commit archived)
if(archived MATCHES "^([0-9a-f]+) ([0-9]+)")
  string(SUBSTRING ${CMAKE_MATCH_1} 0 12 commit)
  set(time ${CMAKE_MATCH_2})
else()
  set(git git --no-optional-locks -C ${SOURCE})
  # A folder inside of somebody else's repository is none.
  execute_process(COMMAND ${git} rev-parse --show-prefix OUTPUT_VARIABLE prefix RESULT_VARIABLE failed ERROR_QUIET
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT failed AND prefix STREQUAL "")
    execute_process(COMMAND ${git} describe --always --dirty=-changed --abbrev=12 --exclude=* OUTPUT_VARIABLE commit
                    ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    execute_process(COMMAND ${git} log -1 --format=%ct OUTPUT_VARIABLE time ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
endif()
file(CONFIGURE OUTPUT ${BUILD}/Commit.cpp CONTENT "// Of .cmake/Version.cmake. Empty: not known.
namespace leno {
extern const char *const commitOfBuild;
const char *const commitOfBuild = \"@commit@\";
} // namespace leno
" @ONLY)
file(CONFIGURE OUTPUT ${BUILD}/Commit.cmake CONTENT "set(LENO_COMMIT \"@commit@\")\nset(LENO_COMMIT_TIME \"@time@\")\n" @ONLY)
