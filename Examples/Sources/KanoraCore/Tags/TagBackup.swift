import Foundation

/// The replaced tags of a library's files, as lines of JSON in a file beside the store.
///
/// A value. The caller holds the store's scan lock.
struct TagBackup: Sendable {
  /// The replaced tags of one file.
  struct Entry: Codable {
    /// The id that the files of one run have in common.
    let run: UUID
    let date: Date
    let file: TaggedFile
  }

  private let url: URL

  /// - Parameter store: The store's file.
  init(ofStoreAt store: URL) { url = URL(fileURLWithPath: "\(store.path).tags") }

  /// Adds an entry, which is on the disk when the method returns.
  func append(_ entry: Entry) throws {
    let descriptor = open(url.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw failure("created", String(cString: strerror(errno)))
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      // The line break before the entry ends a line that a killed program left incomplete.
      try handle.write(contentsOf: Data("\n".utf8) + JSONEncoder().encode(entry) + Data("\n".utf8))
      try handle.synchronize()
    } catch {
      throw failure("written", error.localizedDescription)
    }
  }

  /// Returns the entries, oldest first. There are none if the file does not exist.
  func entries() throws -> [Entry] {
    guard FileManager.default.fileExists(atPath: url.path) else { return [] }
    let lines: [Data.SubSequence]
    do { lines = try Data(contentsOf: url).split(separator: UInt8(ascii: "\n")) } catch {
      throw failure("read", error.localizedDescription)
    }
    // A file whose entry is incomplete was not changed.
    return lines.compactMap { try? JSONDecoder().decode(Entry.self, from: Data($0)) }
  }

  /// Replaces all entries.
  func replace(with entries: [Entry]) throws {
    do {
      let lines = try entries.map { try JSONEncoder().encode($0) + Data("\n".utf8) }
      try Data(lines.joined()).write(to: url, options: .atomic)
    } catch {
      throw failure("written", error.localizedDescription)
    }
  }

  private func failure(_ verb: String, _ reason: String) -> KanoraError {
    KanoraError(
      .notOpened, "The backup of the tags cannot be \(verb): \(reason)", path: url.path)
  }
}
