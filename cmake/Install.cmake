# `make install PREFIX=DIR`: the program, the data files it reads, man page and shell completion.

include(GNUInstallDirs)

install(TARGETS willitrun RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
foreach(folder targets plans selections)
  if(EXISTS ${CMAKE_SOURCE_DIR}/${folder})
    install(DIRECTORY ${CMAKE_SOURCE_DIR}/${folder} DESTINATION ${CMAKE_INSTALL_DATADIR}/willitrun)
  endif()
endforeach()
# The page that `willitrun serve` shows, when it was built (web/build).
install(DIRECTORY ${CMAKE_SOURCE_DIR}/web/dist/ DESTINATION ${CMAKE_INSTALL_DATADIR}/willitrun/web OPTIONAL)
install(FILES docs/man/willitrun.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES tools/completions/willitrun.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME willitrun)
