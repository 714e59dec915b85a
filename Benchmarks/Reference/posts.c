#define _GNU_SOURCE
#include "reference.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const char *folder;

static size_t title_length(const post_head *head) {
  return head->title_length == NO_TITLE ? 0 : head->title_length;
}

static size_t text_length(const post_head *head) {
  return head->id_length + title_length(head) + head->html_length;
}

// Finds the texts, which follow one another.
static void place_texts(post *post) {
  post->id = post->text;
  post->title = post->id + post->head.id_length;
  post->html = post->title + title_length(&post->head);
}

FILE *open_stream(const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *stream = fopen(path, "rb");
  if (!stream) fail(path);
  setvbuf(stream, NULL, _IOFBF, 1 << 16);
  return stream;
}

int read_post(FILE *stream, post *post) {
  if (fread_unlocked(&post->head, sizeof post->head, 1, stream) != 1) return 0;
  size_t length = text_length(&post->head);
  if (length > sizeof post->text) fail("a post is too long");
  if (fread_unlocked(post->text, 1, length, stream) != length) fail("a post is cut off");
  place_texts(post);
  return 1;
}

void bind_post(sqlite3_stmt *statement, int64_t key, const post *post) {
  const post_head *head = &post->head;
  sqlite3_bind_int64(statement, 1, key);
  sqlite3_bind_int(statement, 2, head->editable);
  sqlite3_bind_int(statement, 3, head->ignored);
  sqlite3_bind_int(statement, 4, head->thread_index);
  sqlite3_bind_int64(statement, 5, head->author);
  sqlite3_bind_int64(statement, 6, head->thread);
  sqlite3_bind_double(statement, 7, head->date);
  sqlite3_bind_double(statement, 8, head->score);
  sqlite3_bind_text(statement, 9, post->html, head->html_length, SQLITE_STATIC);
  sqlite3_bind_text(statement, 10, post->id, head->id_length, SQLITE_STATIC);
  if (head->title_length == NO_TITLE) {
    sqlite3_bind_null(statement, 11);
  } else {
    sqlite3_bind_text(statement, 11, post->title, head->title_length, SQLITE_STATIC);
  }
}

void copy_row(sqlite3_stmt *statement, post *post) {
  const char *html = (const char *)sqlite3_column_text(statement, 8);
  const char *id = (const char *)sqlite3_column_text(statement, 9);
  const char *title = (const char *)sqlite3_column_text(statement, 10);
  post->head = (post_head){
      .key = sqlite3_column_int64(statement, 0),
      .editable = (uint8_t)sqlite3_column_int(statement, 1),
      .ignored = (uint8_t)sqlite3_column_int(statement, 2),
      .thread_index = sqlite3_column_int(statement, 3),
      .author = sqlite3_column_int64(statement, 4),
      .thread = sqlite3_column_int64(statement, 5),
      .date = sqlite3_column_double(statement, 6),
      .score = sqlite3_column_double(statement, 7),
      .html_length = (uint16_t)sqlite3_column_bytes(statement, 8),
      .id_length = (uint16_t)sqlite3_column_bytes(statement, 9),
      .title_length = title ? (uint16_t)sqlite3_column_bytes(statement, 10) : NO_TITLE,
  };
  if (text_length(&post->head) > sizeof post->text) fail("a row is too long");
  place_texts(post);
  memcpy((char *)post->id, id, post->head.id_length);
  memcpy((char *)post->title, title ? title : "", title_length(&post->head));
  memcpy((char *)post->html, html, post->head.html_length);
}

post *make_post(sqlite3_stmt *statement) {
  static post whole;
  copy_row(statement, &whole);
  size_t size = offsetof(post, text) + text_length(&whole.head);
  post *copy = malloc(size);
  memcpy(copy, &whole, size);
  place_texts(copy);
  return copy;
}

int is_html_different(const post *one, const post *other) {
  const post_head *a = &one->head, *b = &other->head;
  if (a->thread != b->thread || a->author != b->author || a->date != b->date
      || a->score != b->score || a->thread_index != b->thread_index || a->editable != b->editable
      || a->ignored != b->ignored || a->title_length != b->title_length
      || memcmp(one->title, other->title, title_length(a)) != 0) {
    fail("posts differ in more than their html");
  }
  return a->html_length != b->html_length || memcmp(one->html, other->html, a->html_length) != 0;
}
