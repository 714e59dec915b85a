/// A path compared as the file system compares it: two encodings of an accented letter are different names.
///
/// A value.
struct PathKey: Sendable, Hashable {
  let path: String

  init(_ path: String) { self.path = path }

  static func == (left: PathKey, right: PathKey) -> Bool {
    left.path.hasSameBytes(as: right.path)
  }

  func hash(into hasher: inout Hasher) {
    for byte in path.utf8 { hasher.combine(byte) }
  }
}
