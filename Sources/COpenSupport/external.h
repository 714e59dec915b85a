// Values that have files of their own.
#ifndef OCD_EXTERNAL_H
#define OCD_EXTERNAL_H

#include "COpenSupport.h"

enum { OCD_REFERENCE_LENGTH = 38 };

// The size of the file that a reference names, or -1 without such a file.
int64_t ocd_external_size(const char *folder, const char *reference);

// Reads exactly `size` bytes of the file that a reference names; 0 when that fails.
int ocd_read_external(const char *folder, const char *reference, char *target, size_t size);

// The calling thread's sink.
const ocd_external_sink *ocd_external_sink_of_thread(void);

#endif
