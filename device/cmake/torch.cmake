# Finds the torch wheel of the interpreter: headers, libraries, and the one version that the device is written for.
set(NEURON_TORCH_VERSION 2.13.0)

find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env TORCH_DEVICE_BACKEND_AUTOLOAD=0 ${Python_EXECUTABLE} -c
    "import importlib.metadata, importlib.util, sysconfig
print(importlib.metadata.version('torch').split('+')[0])
print(importlib.util.find_spec('torch').submodule_search_locations[0])
print(sysconfig.get_config_var('EXT_SUFFIX'))"
  OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" found "${found}")
list(GET found 0 torch_version)
list(GET found 1 TORCH_DIR)
list(GET found 2 PYTHON_EXT_SUFFIX)
if(NOT torch_version STREQUAL NEURON_TORCH_VERSION)
  message(FATAL_ERROR "the emulated device is written for torch ${NEURON_TORCH_VERSION}; ${Python_EXECUTABLE} has ${torch_version}")
endif()

add_library(torch_wheel INTERFACE)
target_include_directories(torch_wheel SYSTEM INTERFACE
  ${TORCH_DIR}/include ${TORCH_DIR}/include/torch/csrc/api/include)
target_compile_definitions(torch_wheel INTERFACE USE_DISTRIBUTED USE_C10D_GLOO)
target_link_directories(torch_wheel INTERFACE ${TORCH_DIR}/lib)
target_link_libraries(torch_wheel INTERFACE c10 torch_cpu torch)

add_library(torch_python_wheel INTERFACE)
target_link_libraries(torch_python_wheel INTERFACE torch_wheel torch_python Python::Module)
target_compile_definitions(torch_python_wheel INTERFACE TORCH_EXTENSION_NAME=_C)

if(NEURON_SANITIZE)
  target_compile_options(torch_wheel INTERFACE -fsanitize=${NEURON_SANITIZE} -fno-omit-frame-pointer -g)
  target_link_options(torch_wheel INTERFACE -fsanitize=${NEURON_SANITIZE})
endif()
