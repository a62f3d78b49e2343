# SPDX-License-Identifier: MIT
file(READ ${INPUT} text)
file(WRITE ${OUTPUT}
  "namespace tideline {\nextern const char ${SYMBOL}[];\n"
  "const char ${SYMBOL}[] = R\"tideline_text(${text})tideline_text\";\n}\n")
