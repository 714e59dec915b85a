#pragma once

#include <cstdint>

#include <tiostream.h>

// An open file for TagLib to read: it cannot be changed through the stream, and reads end at a budget.
//
// A damaged file can make TagLib read the same bytes again and again, or a great many of them. Behind the budget the
// file seems to end.
class DescriptorStream final : public TagLib::IOStream {
public:
  DescriptorStream(int descriptor, uint64_t budget);

  bool isExhausted() const { return exhausted; }
  bool hasFailed() const { return failed; }

  TagLib::FileName name() const override { return ""; }
  TagLib::ByteVector readBlock(unsigned long length) override;
  bool readOnly() const override { return true; }
  bool isOpen() const override { return size >= 0; }
  void seek(long offset, Position from) override;
  long tell() const override { return position; }
  long length() override { return size; }

  void writeBlock(const TagLib::ByteVector &) override {}
  void insert(const TagLib::ByteVector &, unsigned long, unsigned long) override {}
  void removeBlock(unsigned long, unsigned long) override {}
  void truncate(long) override {}

private:
  const int descriptor;
  uint64_t budget;
  long size = -1;
  long position = 0;
  bool exhausted = false;
  bool failed = false;
};
