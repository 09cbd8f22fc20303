# A room is one folder under src/ and one static library. willitrun_room() links it to the rooms it may include and to
# nothing else, so that a wrong arrow fails at link time; tools/check_arrows checks the includes themselves.

set(WILLITRUN_ROOMS
  base testing os domain search config selection hub checkpoint plan script verify store cache lab analysis lookup server cli)

# willitrun_room(NAME ROOMS <rooms it may include> SOURCES <.cpp files> [LIBRARIES <third-party, private>] [TESTS <_test.cpp files>])
#
# Makes the library willitrun_NAME and, with TESTS, the test program willitrun_NAME_test, whose tests ctest knows by name.
function(willitrun_room name)
  cmake_parse_arguments(ARG "" "" "ROOMS;SOURCES;LIBRARIES;TESTS;TEST_LIBRARIES" ${ARGN})
  add_library(willitrun_${name} STATIC ${ARG_SOURCES})
  target_include_directories(willitrun_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  list(TRANSFORM ARG_ROOMS PREPEND willitrun_)
  target_link_libraries(willitrun_${name} PUBLIC ${ARG_ROOMS} fmt::fmt PRIVATE ${ARG_LIBRARIES})
  if(ARG_TESTS)
    add_executable(willitrun_${name}_test ${ARG_TESTS})
    target_link_libraries(willitrun_${name}_test PRIVATE
      willitrun_${name} ${ARG_LIBRARIES} ${ARG_TEST_LIBRARIES} GTest::gmock GTest::gtest_main Threads::Threads)
    target_compile_definitions(willitrun_${name}_test PRIVATE WILLITRUN_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    gtest_discover_tests(willitrun_${name}_test TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 120)
  endif()
endfunction()
