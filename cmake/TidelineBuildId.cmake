# SPDX-License-Identifier: MIT
# tideline_build_id(OUTPUT SOURCES): the file OUTPUT, made anew whenever a source below the folder SOURCES changes.
function(tideline_build_id output sources)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${sources}/*.cpp ${sources}/*.h ${sources}/*.l ${sources}/*.y)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DSOURCES=${sources} -DOUTPUT=${output} -P ${CMAKE_SOURCE_DIR}/cmake/build_id_script.cmake
    DEPENDS ${files} ${CMAKE_SOURCE_DIR}/cmake/build_id_script.cmake
    VERBATIM)
endfunction()
