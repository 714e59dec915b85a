// Usage: `c-postgres WORKLOAD PARAMETERS DATADIR`, with the connection parameters of libpq. Prints one line of JSON. Exits with
// status 2 if the workload is unknown. The tables are those of this library's store.
#include "server.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static const char *extra = "";

static void report(const char *workload, int64_t count, double seconds, int64_t check) {
  char line[256];
  long peak = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status)) sscanf(line, "VmHWM: %ld", &peak);
  printf(
      "{\"runner\":\"c-postgres\",\"w\":\"%s\",\"n\":%lld,\"s\":%.6f,\"check\":%lld,\"rss_kb\":%ld%s}\n",
      workload, (long long)count, seconds, (long long)check, peak, extra);
}

static int compare(const void *one, const void *other) {
  double a = *(const double *)one, b = *(const double *)other;
  return a < b ? -1 : a > b;
}

static void note_latencies(double *latencies, int count) {
  static char text[128];
  qsort(latencies, (size_t)count, sizeof *latencies, compare);
  snprintf(
      text, sizeof text, ",\"p50_us\":%.1f,\"p99_us\":%.1f", latencies[count / 2] * 1e6,
      latencies[count * 99 / 100] * 1e6);
  extra = text;
}

static int64_t last_post(void) {
  return server_number("SELECT z_max FROM z_primarykey WHERE z_ent = 2");
}

// The integers of a file of the data set.
static int64_t *load(const char *name, int *count) {
  FILE *stream = open_stream(name);
  fseek(stream, 0, SEEK_END);
  *count = (int)(ftell(stream) / 8);
  rewind(stream);
  int64_t *numbers = malloc((size_t)*count * 8);
  if (fread(numbers, 8, (size_t)*count, stream) != (size_t)*count) fail(name);
  fclose(stream);
  return numbers;
}

static void prepare_transactions(void) {
  prepare_statement("begin", "BEGIN", 0, NULL);
  prepare_statement("commit", "COMMIT", 0, NULL);
}

static void send_plain(const char *name) { send_statement(name, 0, NULL, NULL); }

// MARK: Rows

#undef COLUMNS
#define COLUMNS                                                                                 \
  "z_pk, zeditable, zignored, zthreadindex, zauthor, zthread, zpostdate, zscore, zinnerhtml, "    \
  "zpostid, ztitle"

// Copies a row of COLUMNS into memory of exactly its size.
static post *make_row(const PGresult *result, int row) {
  int html_length = PQgetlength(result, row, 8), id_length = PQgetlength(result, row, 9);
  int is_untitled = PQgetisnull(result, row, 10);
  int title_length = is_untitled ? 0 : PQgetlength(result, row, 10);
  post *copy =
      malloc(offsetof(post, text) + (size_t)id_length + (size_t)title_length + (size_t)html_length);
  copy->head = (post_head){
      .key = int64_at(result, row, 0),
      .editable = (uint8_t)int16_at(result, row, 1),
      .ignored = (uint8_t)int16_at(result, row, 2),
      .thread_index = int32_at(result, row, 3),
      .author = int64_at(result, row, 4),
      .thread = int64_at(result, row, 5),
      .date = double_at(result, row, 6),
      .score = double_at(result, row, 7),
      .html_length = (uint16_t)html_length,
      .id_length = (uint16_t)id_length,
      .title_length = is_untitled ? NO_TITLE : (uint16_t)title_length,
  };
  copy->id = copy->text;
  copy->title = copy->id + id_length;
  copy->html = copy->title + title_length;
  memcpy((char *)copy->id, PQgetvalue(result, row, 9), (size_t)id_length);
  memcpy((char *)copy->title, PQgetvalue(result, row, 10), (size_t)title_length);
  memcpy((char *)copy->html, PQgetvalue(result, row, 8), (size_t)html_length);
  return copy;
}

static int64_t sum_of(const post *post) {
  const post_head *head = &post->head;
  int title_length = head->title_length == NO_TITLE ? 0 : head->title_length;
  return head->key + head->editable + head->ignored + head->thread_index + head->author
      + head->thread + (int64_t)head->date + (int64_t)(head->score * 1000) + head->html_length
      + head->id_length + title_length + (head->html_length ? (uint8_t)post->html[0] : 0);
}

// MARK: Insertions

static array columns[COLUMN_COUNT];

static void clear_columns(void) {
  const Oid elements[COLUMN_COUNT] = {INT8, INT8, INT8,   INT2,   INT2, INT4, INT8,
                                      INT8, FLOAT8, FLOAT8, TEXT, TEXT, TEXT};
  for (int i = 0; i < COLUMN_COUNT; i++) clear_array(&columns[i], elements[i]);
}

static void add_post(int64_t key, const post *post) {
  const post_head *head = &post->head;
  add_int64(&columns[0], key);
  add_int64(&columns[1], 2);
  add_int64(&columns[2], 1);
  add_int16(&columns[3], head->editable);
  add_int16(&columns[4], head->ignored);
  add_int32(&columns[5], head->thread_index);
  add_int64(&columns[6], head->author);
  add_int64(&columns[7], head->thread);
  add_double(&columns[8], head->date);
  add_double(&columns[9], head->score);
  add_text(&columns[10], post->html, head->html_length);
  add_text(&columns[11], post->id, head->id_length);
  add_text(&columns[12], head->title_length == NO_TITLE ? NULL : post->title, head->title_length);
}

static void prepare_insertion(void) {
  const Oid types[COLUMN_COUNT] = {INT8_ARRAY, INT8_ARRAY,   INT8_ARRAY,   INT2_ARRAY, INT2_ARRAY,
                                   INT4_ARRAY, INT8_ARRAY,   INT8_ARRAY,   FLOAT8_ARRAY,
                                   FLOAT8_ARRAY, TEXT_ARRAY, TEXT_ARRAY,   TEXT_ARRAY};
  prepare_statement(
      "insert",
      "INSERT INTO zpost (z_pk, z_ent, z_opt, zeditable, zignored, zthreadindex, zauthor, zthread, "
      "zpostdate, zscore, zinnerhtml, zpostid, ztitle) SELECT * FROM "
      "unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
      COLUMN_COUNT, types);
}

static void send_insertion(void) {
  if (!columns[0].count) return;
  const char *values[COLUMN_COUNT];
  int lengths[COLUMN_COUNT];
  for (int i = 0; i < COLUMN_COUNT; i++) bind_array(&columns[i], &values[i], &lengths[i]);
  send_statement("insert", COLUMN_COUNT, values, lengths);
}

// Runs do not count this: the store has reserved the keys of many saves.
static void write_last(int64_t last) {
  char text[128];
  snprintf(
      text, sizeof text, "UPDATE z_primarykey SET z_max = %lld WHERE z_ent = 2 RETURNING z_max",
      (long long)last);
  server_number(text);
}

// MARK: w1

static void import_posts(void) {
  static post post;
  FILE *stream = open_stream("posts.bin");
  prepare_transactions();
  prepare_insertion();
  int64_t count = 0;
  double start = now();
  int is_more = read_post(stream, &post);
  while (is_more) {
    clear_columns();
    for (int left = SAVE; left && is_more; left--) {
      add_post(++count, &post);
      is_more = read_post(stream, &post);
    }
    send_plain("begin");
    send_insertion();
    send_plain("commit");
    finish_writes();
  }
  double seconds = now() - start;
  write_last(count);
  report("w1", count, seconds, server_number("SELECT sum(zthreadindex + length(zinnerhtml)) FROM zpost"));
}

// MARK: w2f

enum { SLOTS = 4 * SAVE };

static post *found[SAVE];
static int found_count;
// Positions of found rows plus one, by hash of the id.
static int16_t slots[SLOTS];

static int16_t *slot(const char *id, int length) {
  uint32_t hash = 2166136261u;
  for (int i = 0; i < length; i++) hash = (hash ^ (uint8_t)id[i]) * 16777619u;
  for (uint32_t position = hash % SLOTS;; position = (position + 1) % SLOTS) {
    int16_t place = slots[position];
    if (!place) return &slots[position];
    const post *known = found[place - 1];
    if (known->head.id_length == length && !memcmp(known->id, id, (size_t)length)) {
      return &slots[position];
    }
  }
}

static void find(const post *posts, int count) {
  static array ids;
  clear_array(&ids, TEXT);
  for (int i = 0; i < count; i++) add_text(&ids, posts[i].id, posts[i].head.id_length);
  const char *value;
  int length;
  bind_array(&ids, &value, &length);
  send_statement("find", 1, &value, &length);
  PGresult *result;
  finish_flight(&result);
  memset(slots, 0, sizeof slots);
  found_count = PQntuples(result);
  for (int row = 0; row < found_count; row++) {
    found[row] = make_row(result, row);
    *slot(found[row]->id, found[row]->head.id_length) = (int16_t)(row + 1);
  }
  PQclear(result);
}

// The html that a save writes to the found rows.
static const post *updates[SAVE];

static void send_updates(void) {
  static array keys, texts;
  clear_array(&keys, INT8);
  clear_array(&texts, TEXT);
  for (int i = 0; i < found_count; i++) {
    if (!updates[i]) continue;
    add_int64(&keys, found[i]->head.key);
    add_text(&texts, updates[i]->html, updates[i]->head.html_length);
  }
  if (!keys.count) return;
  const char *values[2];
  int lengths[2];
  bind_array(&keys, &values[0], &lengths[0]);
  bind_array(&texts, &values[1], &lengths[1]);
  send_statement("update", 2, values, lengths);
}

static void find_or_create(void) {
  static post posts[SAVE];
  FILE *stream = open_stream("upsert.bin");
  int64_t last = last_post(), total = 0;
  prepare_transactions();
  prepare_insertion();
  prepare_statement("find", "SELECT " COLUMNS " FROM zpost WHERE zpostid = ANY($1)", 1, &TEXT_ARRAY);
  const Oid types[] = {INT8_ARRAY, TEXT_ARRAY};
  prepare_statement(
      "update",
      "UPDATE zpost AS t SET zinnerhtml = v.h, z_opt = t.z_opt + 1 FROM unnest($1, $2) AS v(k, h) "
      "WHERE t.z_pk = v.k",
      2, types);
  double start = now();
  for (;;) {
    int count = 0;
    while (count < SAVE && read_post(stream, &posts[count])) count++;
    if (!count) break;
    find(posts, count);
    memset(updates, 0, sizeof updates);
    clear_columns();
    for (int i = 0; i < count; i++) {
      int row = *slot(posts[i].id, posts[i].head.id_length) - 1;
      if (row < 0) {
        add_post(++last, &posts[i]);
      } else if (updates[row] || is_html_different(found[row], &posts[i])) {
        updates[row] = &posts[i];
      }
    }
    send_plain("begin");
    send_insertion();
    send_updates();
    send_plain("commit");
    finish_writes();
    for (int i = 0; i < found_count; i++) free(found[i]);
    total += count;
  }
  double seconds = now() - start;
  write_last(last);
  report(
      "w2f", total, seconds,
      server_number("SELECT count(*) + sum(zthreadindex + length(zinnerhtml)) FROM zpost"));
}

// MARK: w3, w8

typedef struct {
  post **posts;
  int64_t count;
} posts_of_range;

static void add_row(PGresult *result, void *context) {
  posts_of_range *range = context;
  range->posts[range->count++] = make_row(result, 0);
}

// The tenth of the posts that all runners take.
static posts_of_range fetch_range(int64_t last) {
  posts_of_range range = {malloc((size_t)(last / 10 + 1) * sizeof(post *)), 0};
  char first[8], end[8];
  const char *values[2];
  int lengths[2];
  bind_int64(first, last * 4 / 10, &values[0], &lengths[0]);
  bind_int64(end, last * 5 / 10, &values[1], &lengths[1]);
  send_statement("range", 2, values, lengths);
  finish_rows(add_row, &range);
  return range;
}

static void prepare_range(void) {
  const Oid types[] = {INT8, INT8};
  prepare_statement(
      "range", "SELECT " COLUMNS " FROM zpost WHERE z_pk > $1 AND z_pk <= $2 ORDER BY z_pk", 2,
      types);
}

static void materialise(void) {
  int64_t last = last_post(), sum = 0;
  prepare_range();
  double start = now();
  posts_of_range range = fetch_range(last);
  for (int64_t i = 0; i < range.count; i++) sum += sum_of(range.posts[i]);
  report("w3", range.count, now() - start, sum);
}

static void set_scores(void) {
  static array keys, versions, scores;
  int64_t last = last_post();
  prepare_transactions();
  prepare_range();
  const Oid types[] = {INT8_ARRAY, INT8_ARRAY, FLOAT8_ARRAY};
  prepare_statement(
      "update",
      "UPDATE zpost AS t SET z_opt = v.o + 1, zscore = v.s FROM unnest($1, $2, $3) AS v(k, o, s) "
      "WHERE t.z_pk = v.k AND t.z_opt = v.o RETURNING t.z_pk",
      3, types);
  posts_of_range range = fetch_range(last);
  double start = now();
  clear_array(&keys, INT8);
  clear_array(&versions, INT8);
  clear_array(&scores, FLOAT8);
  for (int64_t i = 0; i < range.count; i++) {
    post_head *head = &range.posts[i]->head;
    head->score = head->thread_index * 0.5;
    add_int64(&keys, head->key);
    add_int64(&versions, 1);
    add_double(&scores, head->score);
  }
  const char *values[3];
  int lengths[3];
  bind_array(&keys, &values[0], &lengths[0]);
  bind_array(&versions, &values[1], &lengths[1]);
  bind_array(&scores, &values[2], &lengths[2]);
  send_plain("begin");
  send_statement("update", 3, values, lengths);
  send_plain("commit");
  PGresult *results[LARGEST_FLIGHT];
  finish_flight(results);
  if (PQntuples(results[1]) != range.count) fail("a row has another version");
  double seconds = now() - start;
  report("w8", range.count, seconds, server_number("SELECT CAST(sum(zscore) AS bigint) FROM zpost"));
}

// MARK: w4s

// Reads a tenth of the rows by their keys, 1,000 in each statement.
static void read_by_keys(void) {
  static array keys;
  int64_t last = last_post(), sum = 0, count = 0;
  prepare_statement("rows", "SELECT " COLUMNS " FROM zpost WHERE z_pk = ANY($1)", 1, &INT8_ARRAY);
  double start = now();
  for (int64_t key = last * 4 / 10 + 1; key <= last * 5 / 10;) {
    clear_array(&keys, INT8);
    for (int left = SAVE; left && key <= last * 5 / 10; left--) add_int64(&keys, key++);
    const char *value;
    int length;
    bind_array(&keys, &value, &length);
    send_statement("rows", 1, &value, &length);
    PGresult *result;
    finish_flight(&result);
    for (int row = 0; row < PQntuples(result); row++, count++) {
      post *post = make_row(result, row);
      sum += post->head.thread_index;
      free(post);
    }
    PQclear(result);
  }
  report("w4s", count, now() - start, sum);
}

// MARK: w5

static void read_pages(void) {
  int count;
  int64_t *queries = load("q5.bin", &count), sum = 0;
  count /= 2;
  double *latencies = malloc((size_t)count * sizeof *latencies);
  const Oid types[] = {INT8, INT4, INT4};
  prepare_statement(
      "page",
      "SELECT " COLUMNS " FROM zpost WHERE zthread = $1 AND zthreadindex >= $2 AND zthreadindex < $3 "
      "ORDER BY zthreadindex LIMIT 40",
      3, types);
  double start = now();
  for (int i = 0; i < count; i++) {
    double began = now();
    int32_t first = (int32_t)queries[2 * i + 1];
    char thread[8], from[4], to[4];
    const char *values[3];
    int lengths[3];
    bind_int64(thread, queries[2 * i], &values[0], &lengths[0]);
    bind_int32(from, first, &values[1], &lengths[1]);
    bind_int32(to, first + 40, &values[2], &lengths[2]);
    send_statement("page", 3, values, lengths);
    PGresult *result;
    finish_flight(&result);
    for (int row = 0; row < PQntuples(result); row++) {
      post *post = make_row(result, row);
      sum += post->head.thread_index + post->head.html_length;
      free(post);
    }
    PQclear(result);
    latencies[i] = now() - began;
  }
  double seconds = now() - start;
  note_latencies(latencies, count);
  report("w5", count, seconds, sum);
}

// MARK: w7

static int64_t look_up(const int64_t *queries, int count, double *latencies) {
  int64_t sum = 0;
  for (int i = 0; i < count; i++) {
    double began = now();
    char id[24];
    const char *value = id;
    int length = snprintf(id, sizeof id, "%lld", (long long)queries[i]);
    send_statement("post", 1, &value, &length);
    PGresult *result;
    finish_flight(&result);
    if (PQntuples(result)) {
      post *post = make_row(result, 0);
      sum += post->head.key + post->head.html_length;
      free(post);
    }
    PQclear(result);
    latencies[i] = now() - began;
  }
  return sum;
}

// A tenth of the look-ups that run on a file, because each is a round trip.
static void read_posts_by_id(void) {
  int count;
  int64_t *queries = load("q7.bin", &count);
  count /= 10;
  double *latencies = malloc((size_t)count * sizeof *latencies);
  prepare_statement("post", "SELECT " COLUMNS " FROM zpost WHERE zpostid = $1 LIMIT 1", 1, &TEXT);
  look_up(queries, count, latencies);
  double start = now();
  int64_t sum = look_up(queries, count, latencies);
  double seconds = now() - start;
  note_latencies(latencies, count);
  report("w7", count, seconds, sum);
}

// MARK: Start

static const struct {
  const char *name;
  void (*run)(void);
} workloads[] = {{"w1", import_posts},  {"w2f", find_or_create}, {"w3", materialise},
                 {"w4s", read_by_keys}, {"w5", read_pages},      {"w7", read_posts_by_id},
                 {"w8", set_scores}};

int main(int count, char **arguments) {
  if (count != 4) return 2;
  for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++) {
    if (strcmp(workloads[i].name, arguments[1]) != 0) continue;
    folder = arguments[3];
    connect_server(arguments[2]);
    workloads[i].run();
    return 0;
  }
  return 2;
}
