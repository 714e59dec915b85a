import CAudioTags

/// Writes tags with TagLib.
///
/// Stateless.
enum TagWriter {
  /// Replaces fields of a file, which TagLib changes in place.
  ///
  /// - Parameters:
  ///   - fields: The new values by name; an empty array removes the field.
  ///   - path: A file that `AudioFile.read(_:)` accepts. If writing fails, the file may be damaged.
  ///   - format: The file's format.
  /// - Returns: Whether TagLib saved the file. TagLib does not report every failed write.
  static func write(
    _ fields: [String: [String]], to path: String, _ format: AudioFormat
  ) -> Bool {
    // All texts in one array, which does not move while TagLib reads them.
    var bytes: [CChar] = []
    func place(_ text: String) -> Range<Int> {
      let start = bytes.count
      bytes += text.utf8.map { CChar(bitPattern: $0) }
      return start..<bytes.count
    }
    var places: [(name: Range<Int>, value: Range<Int>?)] = []
    for (key, values) in fields {
      let name = place(key)
      if values.isEmpty { places.append((name: name, value: nil)) }
      for value in values { places.append((name: name, value: place(value))) }
    }
    return bytes.withUnsafeBufferPointer { buffer in
      func text(_ place: Range<Int>?) -> audio_text {
        guard let place else { return audio_text(bytes: nil, count: 0) }
        return audio_text(
          bytes: buffer.baseAddress.map { $0 + place.lowerBound }, count: place.count)
      }
      let list = places.map { audio_field(name: text($0.name), value: text($0.value)) }
      return list.withUnsafeBufferPointer { list in
        guard let start = list.baseAddress else { return true }
        return audio_tags_write(path, TagReader.container(of: format), start, list.count)
      }
    }
  }
}
