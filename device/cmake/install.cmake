# Lays the package out in a site-packages folder (the install prefix) with the metadata by which Python finds it.
set(NEURON_VERSION 2.13.0+emulated)
set(NEURON_COMPILER_VERSION 0.0.0+emu)

install(TARGETS _C LIBRARY DESTINATION torch_neuronx)
install(DIRECTORY torch_neuronx neuronxcc DESTINATION . FILES_MATCHING PATTERN "*.py" PATTERN "__pycache__" EXCLUDE)

foreach(part METADATA entry_points.txt)
  configure_file(metadata/torch_neuronx/${part}.in metadata/torch_neuronx/${part} @ONLY)
  configure_file(metadata/neuronx_cc/${part}.in metadata/neuronx_cc/${part} @ONLY)
endforeach()
install(DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/metadata/torch_neuronx/
  DESTINATION torch_neuronx-${NEURON_VERSION}.dist-info)
install(DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/metadata/neuronx_cc/
  DESTINATION neuronx_cc-${NEURON_COMPILER_VERSION}.dist-info)
