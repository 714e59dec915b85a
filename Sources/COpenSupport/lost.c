#include "files.h"

#include <string.h>
#include <sys/stat.h>

// Checks that a database's files still exist. SQLite continues to write to deleted files and does not notice a
// truncated file; these writes are lost.

// The offsets in the log's index that contain the expected lengths; see SQLite's walformat.html.
enum { INDEX_REGION = 32768, PAGE_SIZE = 14, LAST_FRAME = 16, PAGE_COUNT = 20, MOVED_FRAMES = 96, LOG_HEADER = 32 };

static uint32_t word_at(const char *index, int offset) {
  uint32_t word;
  memcpy(&word, index + offset, sizeof word);
  return word;
}

static ocd_loss lost_part(
    database_file *database, sqlite3_file *file, const struct stat *status_of_log) {
  void volatile *region = NULL;
  int code = database->own->xShmMap(file, 0, INDEX_REGION, 0, &region);
  if (code != SQLITE_OK || !region) return OCD_NOTHING_LOST;
  const char *index = (const char *)region;
  uint16_t stated;
  memcpy(&stated, index + PAGE_SIZE, sizeof stated);
  sqlite3_int64 page = (stated & 0xfe00) + ((sqlite3_int64)(stated & 1) << 16);
  sqlite3_int64 frames = word_at(index, LAST_FRAME);
  if (frames > 0 && status_of_log->st_size < LOG_HEADER + frames * (FRAME_HEADER + page)) {
    return OCD_TRUNCATED;
  }
  sqlite3_int64 size;
  if (database->own->xFileSize(file, &size) != SQLITE_OK) return OCD_NOTHING_LOST;
  if (size < SMALLEST_PAGE) return OCD_TRUNCATED;
  // Pages that are still in the log may be beyond the end.
  if (word_at(index, MOVED_FRAMES) != frames) return OCD_NOTHING_LOST;
  return size < page * word_at(index, PAGE_COUNT) ? OCD_TRUNCATED : OCD_NOTHING_LOST;
}

ocd_loss ocd_lost_file(sqlite3 *connection) {
  sqlite3_file *file = NULL;
  int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK || !file || !file->pMethods) return OCD_NOTHING_LOST;
  int has_moved = 0;
  code = file->pMethods->xFileControl(file, SQLITE_FCNTL_HAS_MOVED, &has_moved);
  if (code == SQLITE_OK && has_moved) return OCD_DATABASE_MOVED;
  database_file *database = ocd_database_file(file);
  log_file *log = database ? database->log : NULL;
  if (!log || !log->name || log->number == 0 || !database->has_index) return OCD_NOTHING_LOST;
  struct stat status;
  if (stat(log->name, &status) != 0 || status.st_ino != log->number
      || status.st_dev != log->device) {
    return OCD_LOG_MOVED;
  }
  // Another connection that writes could change the lengths during the comparison.
  int is_writing = sqlite3_txn_state(connection, "main") == SQLITE_TXN_WRITE;
  return is_writing ? lost_part(database, file, &status) : OCD_NOTHING_LOST;
}
