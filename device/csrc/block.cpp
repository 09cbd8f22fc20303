#include "block.h"

#include <cstdint>
#include <cstdlib>
#include <new>

#include <c10/util/Exception.h>

#include "runtime.h"

namespace neuron {
namespace {

constexpr uint64_t kMagic = 0x4e45'5552'4f4e'424bULL;  // "NEURONBK"

// Lies in front of the data, so that a bare pointer is enough to return the bytes to the right core.
struct alignas(kBlockAlignment) Header {
  uint64_t magic;
  int64_t charged_bytes;
  int core;
};
static_assert(sizeof(Header) == kBlockAlignment);

Header* header_of(const void* data) {
  return reinterpret_cast<Header*>(static_cast<char*>(const_cast<void*>(data)) - sizeof(Header));
}

[[noreturn]] void refuse(size_t nbytes, int core) {
  const auto account = Runtime::instance().ledger(core).snapshot();
  TORCH_CHECK_WITH(OutOfMemoryError, false, "NRT allocation failed for size ", nbytes, " on neuron:", core, ": ",
                   account.current_bytes, " of ", account.capacity_bytes,
                   " bytes are in use (OOM), status NRT_RESOURCE (4)");
}

}  // namespace

void* allocate_block(size_t nbytes, int core) {
  if (nbytes == 0) return nullptr;
  if (nbytes > static_cast<size_t>(INT64_MAX) - 2 * kBlockAlignment) refuse(nbytes, core);
  const size_t rounded = (nbytes + kBlockAlignment - 1) & ~(kBlockAlignment - 1);
  auto& ledger = Runtime::instance().ledger(core);
  if (!ledger.try_charge(static_cast<int64_t>(rounded))) refuse(nbytes, core);
  void* base = std::aligned_alloc(kBlockAlignment, rounded + sizeof(Header));
  if (base == nullptr) {
    ledger.release(static_cast<int64_t>(rounded));
    TORCH_CHECK_WITH(OutOfMemoryError, false, "NRT allocation failed for size ", nbytes, " on neuron:", core,
                     ": the host has no memory left, status NRT_FAIL_HOST_MEM_ALLOC (11)");
  }
  return new (base) Header{kMagic, static_cast<int64_t>(rounded), core} + 1;
}

void free_block(void* data) {
  if (data == nullptr) return;
  Header* header = header_of(data);
  TORCH_INTERNAL_ASSERT(header->magic == kMagic, "neuron: freeing memory that is not a block of the device");
  header->magic = 0;
  Runtime::instance().ledger(header->core).release(header->charged_bytes);
  std::free(header);
}

int core_of_block(const void* data) {
  if (data == nullptr || reinterpret_cast<uintptr_t>(data) % kBlockAlignment != 0) return -1;
  const Header* header = header_of(data);
  return header->magic == kMagic ? header->core : -1;
}

}  // namespace neuron
