// Records what this process does to the files of a folder, by standing before the C library's functions.
#ifndef CRASH_RECORDER_H
#define CRASH_RECORDER_H

// Begins to record what is done to files below a folder, in a file elsewhere. Returns 0 when that cannot be written.
int crash_record(const char *folder, const char *log);

// Records a text between two operations.
void crash_mark(const char *text);

// Ends the recording.
void crash_end(void);

#endif
