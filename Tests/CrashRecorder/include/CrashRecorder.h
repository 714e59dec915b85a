// Records this process's operations on the files of a folder, and injects errors, by interposing the C library's functions.
#ifndef CRASH_RECORDER_H
#define CRASH_RECORDER_H

#include <stdint.h>

// Starts recording the operations on files below a folder, in a file outside it. Returns 0 if that file cannot be written.
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
