import Foundation

/// The replaced tags of a library's files, as lines of JSON in a file beside the store.
///
/// Each entry begins and ends with a line break. An entry that a killed program left incomplete has no line break at its end; the file that
/// it describes was not changed.
///
/// A value. The caller holds the store's scan lock.
struct TagBackup: Sendable {
  /// The replaced tags of one file.
  struct Entry: Codable {
    /// The id that the files of one run have in common.
    let run: UUID
    let date: Date
    /// The track of the file, whose path can have changed since; nil in entries of earlier versions.
    let track: UUID?
    let file: TaggedFile
  }

  /// The content of the backup.
  struct Content {
    /// The entries, oldest first.
    var entries: [Entry] = []
    /// The complete entries that cannot be decoded.
    fileprivate(set) var unreadable: [Data] = []
  }

  /// The path of the backup.
  var path: String { file.path }

  private let file: LineFile

  /// - Parameter store: The store's file.
  init(ofStoreAt store: URL) {
    file = LineFile(besideStoreAt: store, suffix: "tags", "The backup of the tags")
  }

  /// Adds an entry, which is on the disk when the method returns.
  ///
  /// - Returns: The size of the backup without the entry.
  func append(_ entry: Entry) throws -> UInt64 {
    try file.append(encoded(entry)) { try $0.synchronize() }
  }

  /// Removes the last entry.
  ///
  /// - Parameter size: The size that `append(_:)` returned for the entry.
  func removeLast(after size: UInt64) throws {
    guard truncate(path, off_t(size)) == 0 else {
      throw file.failure("written", String(cString: strerror(errno)))
    }
  }

  /// Returns the content, which is empty if the file does not exist.
  func content() throws -> Content {
    var content = Content()
    guard let data = try file.content() else { return content }
    let lines: [Data.SubSequence] = data.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (place, line) in lines.enumerated() where !line.isEmpty {
      if let entry = try? JSONDecoder().decode(Entry.self, from: Data(line)) {
        content.entries.append(entry)
      } else if place + 1 < lines.count, lines[place + 1].isEmpty {
        content.unreadable.append(Data(line))
      }
    }
    return content
  }

  /// Replaces the content.
  func replace(with content: Content) throws {
    try file.replace(with: content.unreadable + content.entries.map(encoded))
  }

  private func encoded(_ entry: Entry) throws -> Data {
    do { return try JSONEncoder().encode(entry) } catch {
      throw file.failure("written", error.localizedDescription)
    }
  }

  /// Returns the error for a backup without an entry that can be decoded.
  var unreadableError: KanoraError {
    file.failure("read", "None of its entries can be decoded.")
  }
}
