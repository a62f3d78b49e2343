// SPDX-License-Identifier: MIT
// Pages that only the start of the program needed: code of the parser and the command line, freed memory of the front
// end. They are a few megabytes, which is bytes per state on a model of a million states, and an eighth of the smallest
// budget. Read-only pages come back from the file when they are used again, so nothing can be lost.
#pragma once

namespace tideline {

// From now on freed buffers of 64 KiB and more go back to the system at once, so that the resident size is what is in
// use. Without it the C library keeps more and more of them.
void give_back_freed_buffers();

// Takes read-only pages of the program and its libraries and freed heap pages out of the resident set. Other threads
// may run meanwhile. Call once, when the search is under way.
void release_startup_pages();

}  // namespace tideline
