# Fuzz targets. A target is one file fuzz/<name>_fuzz.cpp with LLVMFuzzerTestOneInput, and a folder fuzz/corpus/<name>/ of inputs
# worth keeping: every kind of valid input, and each input that once broke something.
#
# In an ordinary build each target becomes a program that replays its corpus, and a test fuzz.<name> that runs it. Under clang
# with WILLITRUN_FUZZ=ON it becomes a libFuzzer program (tools/fuzz does that).

option(WILLITRUN_FUZZ "Build libFuzzer programs (clang only)" OFF)

# willitrun_fuzz(NAME <rooms...>)
function(willitrun_fuzz name)
  add_executable(fuzz_${name} ${name}_fuzz.cpp)
  list(TRANSFORM ARGN PREPEND willitrun_)
  target_link_libraries(fuzz_${name} PRIVATE ${ARGN})
  if(NOT TARGET fuzz_targets)
    add_custom_target(fuzz_targets)
  endif()
  add_dependencies(fuzz_targets fuzz_${name})
  if(WILLITRUN_FUZZ)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  else()
    target_sources(fuzz_${name} PRIVATE replay_main.cpp)
    add_test(NAME fuzz.${name} COMMAND fuzz_${name} ${CMAKE_CURRENT_SOURCE_DIR}/corpus/${name})
  endif()
endfunction()
