#include "DescriptorStream.h"

#include <algorithm>
#include <cerrno>
#include <sys/stat.h>
#include <unistd.h>

using namespace TagLib;

DescriptorStream::DescriptorStream(int descriptor, uint64_t budget)
    : descriptor(descriptor), budget(budget) {
  struct stat status;
  if (fstat(descriptor, &status) == 0) size = static_cast<long>(status.st_size);
}

ByteVector DescriptorStream::readBlock(unsigned long length) {
  if (position < 0 || position >= size) return ByteVector();
  const unsigned long count = std::min(length, static_cast<unsigned long>(size - position));
  const uint64_t cost = std::max<uint64_t>(count, 512);
  if (cost > budget) {
    exhausted = true;
    return ByteVector();
  }
  budget -= cost;
  ByteVector bytes(static_cast<unsigned int>(count), 0);
  unsigned long filled = 0;
  while (filled < count) {
    const ssize_t got = pread(descriptor, bytes.data() + filled, count - filled, position + filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) failed = true;
    if (got <= 0) break;
    filled += got;
  }
  bytes.resize(static_cast<unsigned int>(filled));
  position += filled;
  return bytes;
}

void DescriptorStream::seek(long offset, Position from) {
  long start = 0;
  if (from == Current) start = position;
  if (from == End) start = size;
  long sum;
  position = __builtin_add_overflow(start, offset, &sum) ? size : std::max(0L, sum);
}
