// SPDX-License-Identifier: MIT
// Linked into tests of thousands of searches of a few states each: no large pages for their process and its children. A
// page of 2 MB is cleared as a whole when its first byte is written, which takes longer than such a search. Large pages
// change how fast a search is and nothing else; src/io/budget.cpp asks for them as before.
#include <sys/prctl.h>

namespace {

[[maybe_unused]] const int kStatus = ::prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);  // a wish

}  // namespace
