#include <zlib.h>

/* zlib's own names for these are macros, which Swift does not see. */

/* Prepares a stream that reads raw DEFLATE, without the header of zlib or gzip. */
static inline int ocd_inflate_raw_init(z_stream *stream) { return inflateInit2(stream, -15); }

/* Prepares a stream that writes raw DEFLATE. */
static inline int ocd_deflate_raw_init(z_stream *stream) {
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
}
