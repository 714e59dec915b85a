#include "external.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static _Thread_local const ocd_external_sink *current_sink;

const ocd_external_sink *ocd_set_external_sink(const ocd_external_sink *sink) {
  const ocd_external_sink *previous = current_sink;
  current_sink = sink;
  return previous;
}

const ocd_external_sink *ocd_external_sink_of_thread(void) { return current_sink; }

// A name contains only digits, letters and dashes, so that no value refers to a file outside the folder.
static int is_name(const char *bytes) {
  for (int i = 0; i < 36; i++) {
    char c = bytes[i];
    if (!((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-'))
      return 0;
  }
  return 1;
}

int ocd_is_external(const void *bytes, size_t length) {
  const char *reference = bytes;
  return length == OCD_REFERENCE_LENGTH && reference[0] == 2 && reference[37] == 0
    && is_name(reference + 1);
}

static int make_path(const char *folder, const char *reference, char *path, size_t capacity) {
  if (!folder) return 0;
  int length = snprintf(path, capacity, "%s/%.36s", folder, reference + 1);
  return length > 0 && (size_t)length < capacity;
}

int64_t ocd_external_size(const char *folder, const char *reference) {
  char path[PATH_MAX];
  struct stat status;
  if (!make_path(folder, reference, path, sizeof path) || stat(path, &status) != 0) return -1;
  return S_ISREG(status.st_mode) ? status.st_size : -1;
}

int ocd_read_external(const char *folder, const char *reference, char *target, size_t size) {
  char path[PATH_MAX];
  if (!make_path(folder, reference, path, sizeof path)) return 0;
  FILE *file = fopen(path, "rb");
  if (!file) return 0;
  size_t count = size > 0 ? fread(target, 1, size, file) : 0;
  fclose(file);
  return count == size;
}
