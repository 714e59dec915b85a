// Usage: `c-history WORKLOAD DB DATADIR`. Prints one line of JSON. Exits with status 2 if the workload
// is unknown.
#include "reference.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void report(const char *workload, int64_t count, double seconds, const char *check) {
  long long sum = number(check);
  char line[256];
  long peak = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status)) sscanf(line, "VmHWM: %ld", &peak);
  printf(
      "{\"runner\":\"c-history\",\"w\":\"%s\",\"n\":%lld,\"s\":%.6f,\"check\":%lld,"
      "\"rss_kb\":%ld}\n",
      workload, (long long)count, seconds, sum, peak);
}

static int64_t last_post(void) {
  return number("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 2");
}

// MARK: w1

static void import_posts(void) {
  static post post;
  FILE *stream = open_stream("posts.bin");
  sqlite3_stmt *insert = prepare(INSERT);
  int64_t count = 0;
  double start = now();
  int is_more = read_post(stream, &post);
  while (is_more) {
    int64_t first = count + 1;
    execute("BEGIN IMMEDIATE");
    for (int left = SAVE; left && is_more; left--) {
      bind_post(insert, ++count, &post);
      run(insert);
      note_ends(post.head.thread, post.head.author);
      is_more = read_post(stream, &post);
    }
    save_last(POST, count);
    insert_transaction();
    for (int64_t key = first; key <= count; key++) insert_change(INSERTION, key, NULL);
    end_history();
    execute("COMMIT");
  }
  double seconds = now() - start;
  report("w1", count, seconds, "SELECT sum(ZTHREADINDEX + length(ZINNERHTML)) FROM ZPOST");
}

// MARK: w2

// How a save changed the posts.
static struct {
  int64_t inserted[SAVE], updated[SAVE];
  int inserted_count, updated_count;
} saved;

static void note_insertion(int64_t key, const post *post) {
  saved.inserted[saved.inserted_count++] = key;
  note_ends(post->head.thread, post->head.author);
}

static void note_update(int64_t key) { saved.updated[saved.updated_count++] = key; }

// Writes the history of a save whose updates changed the properties of the mask, and ends the save.
static void save(int64_t last, const uint8_t mask[2]) {
  save_last(POST, last);
  insert_transaction();
  for (int i = 0; i < saved.inserted_count; i++) insert_change(INSERTION, saved.inserted[i], NULL);
  for (int i = 0; i < saved.updated_count; i++) insert_change(UPDATE, saved.updated[i], mask);
  end_history();
  execute("COMMIT");
  saved.inserted_count = saved.updated_count = 0;
}

static const char *const upsert_check =
    "SELECT count(*) + sum(ZTHREADINDEX + length(ZINNERHTML)) FROM ZPOST";

// Called by SQLite with the row that a statement inserts or updates.
static void note_row(
    void *key, int kind, const char *schema, const char *table, sqlite3_int64 row) {
  (void)kind, (void)schema, (void)table;
  *(int64_t *)key = row;
}

// One statement per post, which does not report the changed values: the history names all properties that it sets.
static void upsert(void) {
  static post post;
  FILE *stream = open_stream("upsert.bin");
  double start = now();
  int64_t last = last_post(), count = 0, key = 0;
  sqlite3_stmt *statement = prepare(
      INSERT
      " ON CONFLICT (ZPOSTID) DO UPDATE SET Z_OPT = Z_OPT + 1, ZEDITABLE = excluded.ZEDITABLE, "
      "ZIGNORED = excluded.ZIGNORED, ZTHREADINDEX = excluded.ZTHREADINDEX, "
      "ZAUTHOR = excluded.ZAUTHOR, ZTHREAD = excluded.ZTHREAD, ZPOSTDATE = excluded.ZPOSTDATE, "
      "ZSCORE = excluded.ZSCORE, ZINNERHTML = excluded.ZINNERHTML, ZTITLE = excluded.ZTITLE");
  sqlite3_update_hook(database, note_row, &key);
  int is_more = read_post(stream, &post);
  while (is_more) {
    execute("BEGIN IMMEDIATE");
    for (int left = SAVE; left && is_more; left--, count++) {
      bind_post(statement, ++last, &post);
      run(statement);
      if (key == last) {
        note_insertion(key, &post);
      } else {
        note_update(key);
      }
      is_more = read_post(stream, &post);
    }
    save(last, (const uint8_t[]){0xFD, 0xC0});  // all but postID, property 6
  }
  double seconds = now() - start;
  report("w2", count, seconds, upsert_check);
}

// MARK: w2f

enum { SLOTS = 4 * SAVE };

// The rows that a save found, and whether the save has already changed them.
static post rows[SAVE];
static char is_changed[SAVE];
static int row_count;
// Positions of rows plus one, by hash of the id.
static int16_t slots[SLOTS];

static int16_t *slot(const char *id, int length) {
  uint32_t hash = 2166136261u;
  for (int i = 0; i < length; i++) hash = (hash ^ (uint8_t)id[i]) * 16777619u;
  for (uint32_t position = hash % SLOTS;; position = (position + 1) % SLOTS) {
    int16_t row = slots[position];
    if (!row) return &slots[position];
    const post *known = &rows[row - 1];
    if (known->head.id_length == length && !memcmp(known->id, id, (size_t)length)) {
      return &slots[position];
    }
  }
}

static sqlite3_stmt *prepare_find(void) {
  char sql[4096] = "SELECT " COLUMNS " FROM ZPOST WHERE ZPOSTID IN (?";
  for (int i = 1; i < SAVE; i++) strcat(sql, ",?");
  return prepare(strcat(sql, ")"));
}

static void find(sqlite3_stmt *statement, const post *posts, int count) {
  row_count = 0;
  memset(is_changed, 0, sizeof is_changed);
  memset(slots, 0, sizeof slots);
  sqlite3_clear_bindings(statement);
  for (int i = 0; i < count; i++) {
    sqlite3_bind_text(statement, i + 1, posts[i].id, posts[i].head.id_length, SQLITE_STATIC);
  }
  while (sqlite3_step(statement) == SQLITE_ROW) {
    post *row = &rows[row_count++];
    copy_row(statement, row);
    *slot(row->id, row->head.id_length) = (int16_t)row_count;
  }
  sqlite3_reset(statement);
}

// Writes new html to a row; two updates of a post in one save are one update in the history.
static void set_html(sqlite3_stmt *statement, int row, const post *post) {
  int64_t key = rows[row].head.key;
  sqlite3_bind_text(statement, 1, post->html, post->head.html_length, SQLITE_STATIC);
  sqlite3_bind_int64(statement, 2, key);
  run(statement);
  rows[row].head.html_length = post->head.html_length;
  memcpy((char *)rows[row].html, post->html, post->head.html_length);
  if (!is_changed[row]) note_update(key);
  is_changed[row] = 1;
}

// Looks up the rows with IN, compares them, and writes the changed and new rows.
static void find_or_create(void) {
  static post posts[SAVE];
  FILE *stream = open_stream("upsert.bin");
  double start = now();
  int64_t last = last_post(), total = 0;
  sqlite3_stmt *find_all = prepare_find(), *insert = prepare(INSERT);
  sqlite3_stmt *update =
      prepare("UPDATE ZPOST SET ZINNERHTML = ?, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?");
  for (;;) {
    int count = 0;
    while (count < SAVE && read_post(stream, &posts[count])) count++;
    if (!count) break;
    execute("BEGIN IMMEDIATE");
    find(find_all, posts, count);
    for (int i = 0; i < count; i++) {
      int row = *slot(posts[i].id, posts[i].head.id_length) - 1;
      if (row < 0) {
        bind_post(insert, ++last, &posts[i]);
        run(insert);
        note_insertion(last, &posts[i]);
      } else if (is_html_different(&rows[row], &posts[i])) {
        set_html(update, row, &posts[i]);
      }
    }
    save(last, (const uint8_t[]){0x08, 0x00});  // innerHTML, property 4
    total += count;
  }
  double seconds = now() - start;
  report("w2f", total, seconds, upsert_check);
}

// MARK: w8

// The tenth of the posts that all runners take, held in memory.
static post **fetch_tenth(int64_t *count) {
  int64_t last = last_post();
  post **posts = malloc((size_t)(last / 10 + 1) * sizeof *posts);
  sqlite3_stmt *statement =
      prepare("SELECT " COLUMNS " FROM ZPOST WHERE Z_PK > ? AND Z_PK <= ? ORDER BY Z_PK");
  sqlite3_bind_int64(statement, 1, last * 4 / 10);
  sqlite3_bind_int64(statement, 2, last * 5 / 10);
  *count = 0;
  while (sqlite3_step(statement) == SQLITE_ROW) posts[(*count)++] = make_post(statement);
  sqlite3_finalize(statement);
  return posts;
}

static void set_scores(void) {
  int64_t count;
  post **posts = fetch_tenth(&count);
  double start = now();
  for (int64_t i = 0; i < count; i++) posts[i]->head.score = posts[i]->head.thread_index * 0.5;
  execute("BEGIN IMMEDIATE");
  sqlite3_stmt *update =
      prepare("UPDATE ZPOST SET ZSCORE = ?, Z_OPT = 2 WHERE Z_PK = ? AND Z_OPT = 1");
  for (int64_t i = 0; i < count; i++) {
    sqlite3_bind_double(update, 1, posts[i]->head.score);
    sqlite3_bind_int64(update, 2, posts[i]->head.key);
    run(update);
  }
  insert_transaction();
  for (int64_t i = 0; i < count; i++) {
    insert_change(UPDATE, posts[i]->head.key, (const uint8_t[]){0x01, 0x00});  // score, property 7
  }
  end_history();
  execute("COMMIT");
  double seconds = now() - start;
  report("w8", count, seconds, "SELECT CAST(total(ZSCORE) AS INTEGER) FROM ZPOST");
}

// MARK: Start

static const struct {
  const char *name;
  void (*run)(void);
} workloads[] = {
    {"w1", import_posts}, {"w2", upsert}, {"w2f", find_or_create}, {"w8", set_scores}};

int main(int count, char **arguments) {
  if (count != 4) return 2;
  for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++) {
    if (strcmp(workloads[i].name, arguments[1]) != 0) continue;
    folder = arguments[3];
    open_database(arguments[2]);
    make_history();
    workloads[i].run();
    return 0;
  }
  return 2;
}
