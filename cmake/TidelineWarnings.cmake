# SPDX-License-Identifier: MIT
# Warnings are errors in our own code; generated lexers and parsers are exempt.
add_library(tideline_warnings INTERFACE)
target_compile_options(tideline_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor
  -Woverloaded-virtual -Wnull-dereference -Wformat=2 -Wimplicit-fallthrough -Werror)
# GCC 12 sees overlapping copies in "text" + std::string where there are none (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(tideline_warnings INTERFACE -Wno-restrict)
endif()
# GCC 12 sees uninitialised members in the standard library's <regex>, and copies beyond the end of short strings, when
# sanitizers are on.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  target_compile_options(tideline_warnings INTERFACE -Wno-maybe-uninitialized -Wno-array-bounds
                         -Wno-stringop-overflow)
endif()
