#include "emu/memory/Dram.h"
#include <algorithm>
#include <cstring>

using namespace leno;

void Dram::read(u64 address, llvm::MutableArrayRef<u8> bytes) const {
  ++readCount;
  for (size_t done = 0; done < bytes.size();) {
    u64 at = address + done, inPage = at % pageBytes;
    size_t count = std::min<size_t>(bytes.size() - done, pageBytes - inPage);
    auto page = pages.find(at / pageBytes);
    if (page == pages.end())
      std::memset(&bytes[done], 0, count);
    else
      std::memcpy(&bytes[done], page->second->data() + inPage, count);
    done += count;
  }
}

void Dram::write(u64 address, llvm::ArrayRef<u8> bytes) {
  ++writeCount;
  for (size_t done = 0; done < bytes.size();) {
    u64 at = address + done, inPage = at % pageBytes;
    size_t count = std::min<size_t>(bytes.size() - done, pageBytes - inPage);
    auto &page = pages[at / pageBytes];
    if (!page)
      page = std::make_unique<std::array<u8, pageBytes>>();
    std::memcpy(page->data() + inPage, &bytes[done], count);
    done += count;
  }
}
