# SPDX-License-Identifier: MIT
# Writes OUTPUT: a C++ file with kBuildId, a hash of the names and contents of all sources below SOURCES.
file(GLOB_RECURSE files RELATIVE ${SOURCES} ${SOURCES}/*.cpp ${SOURCES}/*.h ${SOURCES}/*.l ${SOURCES}/*.y)
list(SORT files)
set(all "")
foreach(file ${files})
  file(SHA256 ${SOURCES}/${file} hash)
  string(APPEND all "${file} ${hash}\n")
endforeach()
string(SHA256 id "${all}")
string(SUBSTRING ${id} 0 16 id)
file(WRITE ${OUTPUT} "#include \"cli/build_id.h\"\nnamespace tideline::cli {\nconst char kBuildId[] = \"${id}\";\n}\n")
