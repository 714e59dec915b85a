// Values that are stored in separate files.
#ifndef OCD_EXTERNAL_H
#define OCD_EXTERNAL_H

#include "COpenSupport.h"

enum { OCD_REFERENCE_LENGTH = 38 };

// Returns the size of the file that a reference names, or -1 if there is no such file.
int64_t ocd_external_size(const char *folder, const char *reference);

// Reads exactly `size` bytes of the file that a reference names; returns 0 on failure.
int ocd_read_external(const char *folder, const char *reference, char *target, size_t size);

// The calling thread's sink.
const ocd_external_sink *ocd_external_sink_of_thread(void);

#endif
