# SPDX-License-Identifier: MIT
# tideline_embed(OUTPUT SYMBOL FILE): a C++ file that defines `const char SYMBOL[]` with the text of FILE.
function(tideline_embed output symbol file)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${file} -DOUTPUT=${output} -DSYMBOL=${symbol}
            -P ${CMAKE_SOURCE_DIR}/cmake/embed_script.cmake
    DEPENDS ${file} ${CMAKE_SOURCE_DIR}/cmake/embed_script.cmake
    VERBATIM)
endfunction()
