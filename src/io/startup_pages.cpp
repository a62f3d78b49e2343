// SPDX-License-Identifier: MIT
// Only segments that the object file maps read-only (code, constants) are dropped: their pages equal the file's.
#include "io/startup_pages.h"

#include <link.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace tideline {

void give_back_freed_buffers() {
  (void)mallopt(M_MMAP_THRESHOLD, 64 << 10);
}
namespace {

void release_segment(std::uintptr_t begin, std::uintptr_t end) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  begin = (begin + page - 1) / page * page;
  end = end / page * page;
  if (begin < end)
    // The loader's addresses are integers. NOLINTNEXTLINE(performance-no-int-to-ptr)
    ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

int release_read_only(dl_phdr_info* object, std::size_t /*size*/, void* /*data*/) {
  for (std::size_t i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_W) == 0)
      release_segment(object->dlpi_addr + segment.p_vaddr, object->dlpi_addr + segment.p_vaddr + segment.p_memsz);
  }
  return 0;
}

}  // namespace

void release_startup_pages() {
  ::malloc_trim(0);
  ::dl_iterate_phdr(release_read_only, nullptr);
}

}  // namespace tideline
