// Class lookup by name: walks the type records that the Swift compiler leaves in every image.
//
// Only structures of Swift's stable ABI are read: type records, context descriptors, and the
// metadata access function. A record is a 32-bit offset from its own address; so are all pointers
// inside a descriptor.

#include "COpenRuntime.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__ELF__)

/// The prefix of the name marker: an empty class that `@ManagedObject("Name")` or the build plug-in
/// nests in the named class.
#define OCD_NAME_MARKER "__ManagedClassName_"

enum {
  KIND_MODULE = 0,
  KIND_EXTENSION = 1,
  KIND_ANONYMOUS = 2,
  KIND_CLASS = 16,
  KIND_LAST_TYPE = 31,
  KIND_MASK = 0x1F,
  FLAG_GENERIC = 0x80,
  RECORD_DIRECT = 0,
  RECORD_INDIRECT = 1,
  RECORD_KIND_MASK = 3,
  MANGLED_DIRECT_CONTEXT = 1
};

/// The common header of module and type descriptors; `parent` and the following fields are relative
/// pointers. In the descriptor of an extension, `name` is the mangled name of the extended type.
typedef struct {
  uint32_t flags;
  int32_t parent;
  int32_t name;
  int32_t access_function;
} descriptor;

typedef struct {
  uintptr_t start;
  size_t length;
} section_range;

/// The header of the record that an image registers with the runtime; later fields differ by version.
typedef struct {
  uintptr_t version;
  const void *base_address;
  void *unused[2];
  section_range protocols;
  section_range protocol_conformances;
  section_range types;
} metadata_sections;

typedef struct {
  const void *metadata;
  size_t state;
} metadata_response;

typedef __attribute__((swiftcall)) metadata_response (*metadata_access_function)(size_t request);

extern void swift_enumerateAllMetadataSections(
    bool (*body)(const metadata_sections *sections, void *context), void *context);

/// A search: the name, the function that accepts a class, and the result.
typedef struct {
  const char *name;
  const char *simple_name;
  ocd_accept_class accept;
  void *context;
  const void *found;
} search;

static const void *relative(const int32_t *field) {
  return *field == 0 ? NULL : (const char *)field + *field;
}

/// Follows a relative pointer; if the lowest bit is set, the pointer is indirect.
static const descriptor *relative_context(const int32_t *field) {
  if (*field == 0) return NULL;
  const char *target = (const char *)field + (*field & ~1);
  return *field & 1 ? *(const descriptor *const *)target : (const descriptor *)target;
}

static uint32_t kind_of(const descriptor *context) { return context->flags & KIND_MASK; }

static bool has_name(const descriptor *context) {
  uint32_t kind = kind_of(context);
  return kind == KIND_MODULE || (kind >= KIND_CLASS && kind <= KIND_LAST_TYPE);
}

/// Returns the type that an extension extends, if its mangled name is one reference to a descriptor.
static const descriptor *extended_type(const descriptor *extension) {
  const char *mangled = relative(&extension->name);
  if (mangled == NULL || mangled[0] != MANGLED_DIRECT_CONTEXT) return NULL;
  int32_t offset;
  memcpy(&offset, mangled + 1, sizeof offset);
  return (const descriptor *)(mangled + 1 + offset);
}

/// Returns the next enclosing context that is not a private scope, or null after the module.
static const descriptor *enclosing_context(const descriptor *context) {
  const descriptor *parent = relative_context(&context->parent);
  while (parent != NULL && kind_of(parent) == KIND_ANONYMOUS)
    parent = relative_context(&parent->parent);
  if (parent == NULL || kind_of(parent) != KIND_EXTENSION) return parent;
  const descriptor *type = extended_type(parent);
  return type != NULL ? type : relative_context(&parent->parent);
}

static const descriptor *type_of_record(const int32_t *record) {
  if (*record == 0) return NULL;
  const char *target = (const char *)record + (*record & ~RECORD_KIND_MASK);
  switch (*record & RECORD_KIND_MASK) {
    case RECORD_DIRECT: return (const descriptor *)target;
    case RECORD_INDIRECT: return *(const descriptor *const *)target;
    default: return NULL;
  }
}

/// Returns whether the components before the simple name occur, from the innermost outward, among the
/// contexts of `type`.
static bool enclosing_names_match(const search *search, const descriptor *type) {
  const char *end = search->simple_name;
  const descriptor *context = enclosing_context(type);
  while (end != search->name) {
    const char *last = --end;  // the dot after the component
    while (end != search->name && end[-1] != '.') end--;
    size_t length = (size_t)(last - end);
    for (;; context = enclosing_context(context)) {
      if (context == NULL) return false;
      if (!has_name(context)) continue;
      const char *name = relative(&context->name);
      if (name != NULL && strlen(name) == length && memcmp(name, end, length) == 0) break;
    }
    context = enclosing_context(context);
  }
  return true;
}

/// Returns the class name in the name of a name marker; null for other types.
static const char *marked_name(const descriptor *type) {
  const char *name = relative(&type->name);
  size_t length = sizeof(OCD_NAME_MARKER) - 1;
  return name != NULL && strncmp(name, OCD_NAME_MARKER, length) == 0 ? name + length : NULL;
}

/// Returns the class that a name marker names; null if the marker is not nested in a class.
static const descriptor *owner_of_marker(const descriptor *marker) {
  const descriptor *owner = enclosing_context(marker);
  return owner != NULL && kind_of(owner) == KIND_CLASS ? owner : NULL;
}

/// Returns the class that `type` identifies under the simple name: `type` itself, or its owner if
/// `type` is a name marker.
static const descriptor *class_named(const char *simple_name, const descriptor *type) {
  const char *name = relative(&type->name);
  if (name == NULL) return NULL;
  if (strcmp(name, simple_name) == 0) return type;
  const char *marked = marked_name(type);
  return marked != NULL && strcmp(marked, simple_name) == 0 ? owner_of_marker(type) : NULL;
}

/// Returns the metadata of a nongeneric class.
static const void *metadata_of(const descriptor *type) {
  const void *function = relative(&type->access_function);
  if (function == NULL) return NULL;
  return ((metadata_access_function)(uintptr_t)function)(0).metadata;
}

static bool accept_type(search *search, const descriptor *type) {
  if (kind_of(type) != KIND_CLASS) return false;
  const descriptor *candidate = class_named(search->simple_name, type);
  if (candidate == NULL || (candidate->flags & FLAG_GENERIC) != 0) return false;
  if (!enclosing_names_match(search, candidate)) return false;
  const void *metadata = metadata_of(candidate);
  if (metadata == NULL || !search->accept(metadata, search->context)) return false;
  search->found = metadata;
  return true;
}

/// Visits one image; returns whether the search continues.
static bool visit_sections(const metadata_sections *sections, void *context) {
  search *current = context;
  const int32_t *record = (const int32_t *)sections->types.start;
  const int32_t *end = record + sections->types.length / sizeof(int32_t);
  for (; record < end; record++) {
    const descriptor *type = type_of_record(record);
    if (type != NULL && accept_type(current, type)) return false;
  }
  return true;
}

const void *ocd_find_class(const char *name, ocd_accept_class accept, void *context) {
  const char *dot = strrchr(name, '.');
  search search = {name, dot == NULL ? name : dot + 1, accept, context, NULL};
  swift_enumerateAllMetadataSections(visit_sections, &search);
  return search.found;
}

/// A search for the name marker of a class.
typedef struct {
  const void *metadata;
  const char *simple_name;
  const char *found;
} marker_search;

static bool is_marker_of(const marker_search *search, const descriptor *type) {
  if (kind_of(type) != KIND_CLASS || marked_name(type) == NULL) return false;
  const descriptor *owner = owner_of_marker(type);
  if (owner == NULL || (owner->flags & FLAG_GENERIC) != 0) return false;
  const char *name = relative(&owner->name);
  return name != NULL && strcmp(name, search->simple_name) == 0
      && metadata_of(owner) == search->metadata;
}

static bool visit_markers(const metadata_sections *sections, void *context) {
  marker_search *search = context;
  const int32_t *record = (const int32_t *)sections->types.start;
  const int32_t *end = record + sections->types.length / sizeof(int32_t);
  for (; record < end; record++) {
    const descriptor *type = type_of_record(record);
    if (type == NULL || !is_marker_of(search, type)) continue;
    search->found = marked_name(type);
    return false;
  }
  return true;
}

const char *ocd_marked_name(const void *metadata, const char *simple_name) {
  marker_search search = {metadata, simple_name, NULL};
  swift_enumerateAllMetadataSections(visit_markers, &search);
  return search.found;
}

#else

const char *ocd_marked_name(const void *metadata, const char *simple_name) {
  (void)metadata, (void)simple_name;
  return NULL;
}

const void *ocd_find_class(const char *name, ocd_accept_class accept, void *context) {
  (void)name, (void)accept, (void)context;
  return NULL;
}

#endif
