import AudioFiles
import CoreData
public import Foundation
import OpenPersistenceKit

/// Writes the fields that the user has edited into the tags of the audio files, and restores the replaced tags.
///
/// Nothing else changes an audio file of a library. Scans and writes of one store run one at a time, also if different programs start
/// them. The library itself stays unchanged: the next scan reads the files again, and keeps the edited fields.
///
/// A value.
public struct TagWriting: Sendable {
  private let store: KanoraStore
  private let now: @Sendable () -> Date

  /// Creates a writer for the files of a library.
  ///
  /// - Parameters:
  ///   - store: The library.
  ///   - now: The clock.
  public init(_ store: KanoraStore, now: @escaping @Sendable () -> Date = { Date() }) {
    self.store = store
    self.now = now
  }

  /// Returns what ``write(_:)`` would change.
  ///
  /// - Parameter ids: The tracks.
  /// - Throws: `KanoraError` with code `.notFound`; any error a fetch throws.
  public func preview(_ ids: [UUID]) async throws -> TagReport {
    var report = TagReport()
    for track in try await tracks(ids) {
      do {
        let file = try AudioFile.read(URL(fileURLWithPath: track.path))
        report.note(track.path, track.changes(of: file.tags))
      } catch {
        report.note(error)
      }
    }
    return report
  }

  /// Writes the edited fields of tracks into their files. A file that cannot be changed does not prevent the others from being changed.
  ///
  /// The replaced values are stored beside the library before a file is changed; see ``restore()``.
  ///
  /// - Parameter ids: The tracks.
  /// - Throws: `KanoraError` with code `.notFound`, or `.notOpened` if the replaced values cannot be stored; any error a fetch throws.
  public func write(_ ids: [UUID]) async throws -> TagReport {
    try await withBackup { backup in
      let (run, date) = (UUID(), now())
      var report = TagReport()
      for track in try await tracks(ids) {
        try report.noteChange(of: track.path) { tags in
          let changes = track.changes(of: tags)
          guard !changes.isEmpty else { return [] }
          let file = TaggedFile(path: track.path, changes: changes)
          try backup.append(TagBackup.Entry(run: run, date: date, file: file))
          return changes
        }
      }
      return report
    }
  }

  /// Restores the values that the last call of ``write(_:)`` replaced. The next call restores those of the call before.
  ///
  /// A file whose tags have changed since then stays unchanged, and so does a file that cannot be read. A later call tries these files
  /// again.
  ///
  /// - Returns: The restored files.
  /// - Throws: `KanoraError` with code `.nothingToUndo` if no values are stored, or `.notOpened` if they cannot be read or stored.
  public func restore() async throws -> TagReport {
    try await withBackup { backup in
      let entries = try backup.entries()
      guard let last = entries.last?.run else {
        throw KanoraError(.nothingToUndo, "There are no tags to restore.")
      }
      var report = TagReport()
      var kept: [TagBackup.Entry] = []
      for entry in entries.reversed() where entry.run == last {
        let failureCount = report.failures.count
        try report.noteChange(of: entry.file.path) { tags in
          try Self.reversed(entry.file, in: tags)
        }
        if report.failures.count > failureCount { kept.insert(entry, at: 0) }
      }
      // The oldest entries come first, so that the next call tries older runs before it tries these files again.
      try backup.replace(with: kept + entries.filter { $0.run != last })
      return report
    }
  }

  /// Returns the changes that undo the changes of a file. Fields that still have their old values are left out.
  private static func reversed(_ file: TaggedFile, in tags: AudioTags) throws -> [TagChange] {
    try file.changes.compactMap { change in
      let current = tags[change.name]
      if current == change.old { return nil }
      guard current == change.new else {
        throw AudioFileError(
          .changing, path: file.path,
          "The field \(change.name) has changed since the tags were written. Edit it with a tag editor."
        )
      }
      return TagChange(name: change.name, old: current, new: change.old)
    }
  }

  /// Returns the tracks with edited fields.
  private func tracks(_ ids: [UUID]) async throws -> [EditedTrack] {
    try await store.performBackgroundTask { context in
      try LibraryDesk.objects(Track.self, ids, in: context).map { EditedTrack($0) }
        .filter(\.isEdited)
    }
  }

  /// Runs work that changes files, while no scan and no other such work runs.
  private func withBackup(
    _ work: (TagBackup) async throws -> TagReport
  ) async throws -> TagReport {
    guard let file = store.file else {
      throw KanoraError(
        .notOpened,
        "Tags can be written only for a library in a file, because the replaced tags are stored beside it."
      )
    }
    let lock = try await StoreLock.scanning.take(of: file)
    defer { withExtendedLifetime(lock) {} }
    return try await work(TagBackup(ofStoreAt: file))
  }
}

extension TagReport {
  /// Adds a file, unless nothing changes.
  fileprivate mutating func note(_ path: String, _ changes: [TagChange]) {
    if !changes.isEmpty { files.append(TaggedFile(path: path, changes: changes)) }
  }

  /// Adds the reason why a file stays unchanged.
  fileprivate mutating func note(_ error: AudioFileError) {
    failures.append(Failure(path: error.path, reason: error.message))
  }

  /// Changes the tags of a file, and adds the file or the reason why it stays unchanged.
  ///
  /// - Parameter changes: Receives the tags, and returns their changes.
  /// - Throws: Any error of the closure besides an `AudioFileError`.
  fileprivate mutating func noteChange(
    of path: String, _ changes: (AudioTags) throws -> [TagChange]
  ) throws {
    var changed: [TagChange] = []
    do {
      try AudioFile.rewriteTags(of: URL(fileURLWithPath: path)) { tags in
        changed = try changes(tags)
        return Dictionary(changed.map { ($0.name, $0.new) }) { $1 }
      }
    } catch let error as AudioFileError {
      return note(error)
    }
    note(path, changed)
  }
}
