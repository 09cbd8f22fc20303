# Defines the target Arrow::parquet_for_rows: Arrow and Parquet for C++. An installed Arrow comes first; else the one inside the
# pyarrow wheel of .venv, which carries headers and libraries (python/requirements.lock pins it).
find_package(Arrow 26 CONFIG QUIET)
find_package(Parquet 26 CONFIG QUIET)

add_library(arrow_parquet INTERFACE)
add_library(Arrow::parquet_for_rows ALIAS arrow_parquet)

if(Arrow_FOUND AND Parquet_FOUND)
  target_link_libraries(arrow_parquet INTERFACE Arrow::arrow_shared Parquet::parquet_shared)
else()
  set(WILLITRUN_PYTHON ${CMAKE_SOURCE_DIR}/.venv/bin/python CACHE FILEPATH "The Python whose pyarrow carries Arrow for C++")
  execute_process(
    COMMAND ${WILLITRUN_PYTHON} -c "import pyarrow; print(pyarrow.get_include()); print(pyarrow.get_library_dirs()[0]); print(pyarrow.cpp_build_info.so_version)"
    OUTPUT_VARIABLE pyarrow_facts OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE pyarrow_status)
  if(NOT pyarrow_status EQUAL 0)
    message(FATAL_ERROR "Arrow is missing: neither is it installed, nor does ${WILLITRUN_PYTHON} have pyarrow. Run tools/setup.")
  endif()
  string(REPLACE "\n" ";" pyarrow_facts "${pyarrow_facts}")
  list(GET pyarrow_facts 0 arrow_include)
  list(GET pyarrow_facts 1 ARROW_WHEEL_FOLDER)
  list(GET pyarrow_facts 2 arrow_so_version)
  set(ARROW_WHEEL_LIBRARIES
    ${ARROW_WHEEL_FOLDER}/libarrow.so.${arrow_so_version} ${ARROW_WHEEL_FOLDER}/libparquet.so.${arrow_so_version})
  target_include_directories(arrow_parquet SYSTEM INTERFACE ${arrow_include})
  target_link_libraries(arrow_parquet INTERFACE ${ARROW_WHEEL_LIBRARIES})
endif()
