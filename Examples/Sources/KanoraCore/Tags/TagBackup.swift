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
  var path: String { url.path }

  private let url: URL

  /// - Parameter store: The store's file.
  init(ofStoreAt store: URL) { url = URL(fileURLWithPath: "\(store.path).tags") }

  /// Adds an entry, which is on the disk when the method returns.
  ///
  /// - Returns: The size of the backup without the entry.
  func append(_ entry: Entry) throws -> UInt64 {
    let descriptor = open(url.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw failure("created", String(cString: strerror(errno)))
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      let size = try handle.seekToEnd()
      try handle.write(contentsOf: Self.line(JSONEncoder().encode(entry)))
      try handle.synchronize()
      return size
    } catch {
      throw failure("written", error.localizedDescription)
    }
  }

  /// Removes the last entry.
  ///
  /// - Parameter size: The size that `append(_:)` returned for the entry.
  func removeLast(after size: UInt64) throws {
    guard truncate(url.path, off_t(size)) == 0 else {
      throw failure("written", String(cString: strerror(errno)))
    }
  }

  /// Returns the content, which is empty if the file does not exist.
  func content() throws -> Content {
    var content = Content()
    guard FileManager.default.fileExists(atPath: url.path) else { return content }
    let lines: [Data.SubSequence]
    do {
      lines = try Data(contentsOf: url).split(
        separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    } catch {
      throw failure("read", error.localizedDescription)
    }
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
    do {
      let entries = try content.entries.map { try JSONEncoder().encode($0) }
      let lines = (content.unreadable + entries).map(Self.line)
      try Data(lines.joined()).write(to: url, options: .atomic)
    } catch {
      throw failure("written", error.localizedDescription)
    }
  }

  private static func line(_ entry: Data) -> Data { Data("\n".utf8) + entry + Data("\n".utf8) }

  /// Returns the error for a backup without an entry that can be decoded.
  var unreadableError: KanoraError { failure("read", "None of its entries can be decoded.") }

  private func failure(_ verb: String, _ reason: String) -> KanoraError {
    KanoraError(
      .notOpened, "The backup of the tags cannot be \(verb): \(reason)", path: url.path)
  }
}
