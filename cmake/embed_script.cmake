# SPDX-License-Identifier: MIT
file(READ ${INPUT} text)
file(WRITE ${OUTPUT} "namespace tideline {\nextern const char ${SYMBOL}[];\nconst char ${SYMBOL}[] = R\"tideline_text(${text})tideline_text\";\n}\n")
