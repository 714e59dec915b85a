// Records what this process does to the files of a folder, and lets it fail, by standing before the C library's functions.
#ifndef CRASH_RECORDER_H
#define CRASH_RECORDER_H

#include <stdint.h>

// Begins to record what is done to files below a folder, in a file elsewhere. Returns 0 when that cannot be written.
int crash_record(const char *folder, const char *log);

// Records a text between two operations.
void crash_mark(const char *text);

// Ends the recording.
void crash_end(void);

// Counts operations on files below a folder from 1 on. With 'K' the process is killed before the one of a number; with 'F' the disk is
// full from it on, so that whatever needs room fails; with 'C' operations are only counted. Not while a recording runs.
void crash_fault(const char *folder, char kind, int64_t operation);

// Ends the faults. Returns how many operations were counted.
int64_t crash_fault_end(void);

#endif
