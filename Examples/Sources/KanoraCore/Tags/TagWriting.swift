import AudioFiles
import CoreData
public import Foundation
import OpenPersistenceKit
import StoreSharing

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
        var formerSize: UInt64?
        let isChanged = try report.noteChange(of: track.path) { tags in
          let changes = track.changes(of: tags)
          guard !changes.isEmpty else { return [] }
          let file = TaggedFile(path: track.path, changes: changes)
          formerSize = try backup.append(
            TagBackup.Entry(run: run, date: date, track: track.id, file: file))
          return changes
        }
        // A file that keeps its tags has nothing to restore.
        if !isChanged, let formerSize { try backup.removeLast(after: formerSize) }
      }
      return report
    }
  }

  /// Restores the values that the last call of ``write(_:)`` replaced. The next call restores those of the call before.
  ///
  /// A file is found by its track, also after a scan has found it at another path. A file whose tags have changed since then stays
  /// unchanged, and so does a file that cannot be read. A later call tries these files again.
  ///
  /// - Returns: The restored files. The failures include the backup itself if it has an entry that cannot be decoded; the entry is kept.
  /// - Throws: `KanoraError` with code `.nothingToUndo` if no values are stored, or `.notOpened` if they cannot be read or stored; any error
  ///   a fetch throws.
  public func restore() async throws -> TagReport {
    try await withBackup { backup in
      var content = try backup.content()
      guard let last = content.entries.last?.run else {
        if !content.unreadable.isEmpty { throw backup.unreadableError }
        throw KanoraError(.nothingToUndo, "There are no tags to restore.")
      }
      var report = TagReport()
      if !content.unreadable.isEmpty { report.noteUnreadable(content.unreadable.count, in: backup) }
      let run = content.entries.filter { $0.run == last }
      let paths = try await paths(of: run)
      var kept: [TagBackup.Entry] = []
      for (entry, path) in zip(run, paths).reversed() {
        let isRestored = try report.noteChange(of: path) { tags in
          try Self.reversed(entry.file, at: path, in: tags)
        }
        if !isRestored { kept.insert(entry, at: 0) }
      }
      // The oldest entries come first, so that the next call tries older runs before it tries these files again.
      content.entries = kept + content.entries.filter { $0.run != last }
      try backup.replace(with: content)
      return report
    }
  }

  /// Returns the current paths of files: those of their tracks, if there are files at these paths.
  private func paths(of entries: [TagBackup.Entry]) async throws -> [String] {
    let ids = entries.compactMap(\.track)
    let rows = try await store.performBackgroundTask { try LibraryLists.tracks(ids, in: $0) }
    let known = Dictionary(rows.map { ($0.id, $0.filePath) }) { $1 }
    return entries.map { entry in
      guard let path = entry.track.flatMap({ known[$0] }), !FilePresence.isGone(path) else {
        return entry.file.path
      }
      return path
    }
  }

  /// Returns the changes that undo the changes of a file. Fields that still have their old values are left out.
  private static func reversed(
    _ file: TaggedFile, at path: String, in tags: AudioTags
  ) throws -> [TagChange] {
    try file.changes.compactMap { change in
      let current = tags[change.name]
      if current == change.old { return nil }
      guard current == change.new else {
        throw AudioFileError(
          .changing, path: path,
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

  /// Adds the entries of a backup that cannot be decoded.
  fileprivate mutating func noteUnreadable(_ count: Int, in backup: TagBackup) {
    let entries = count == 1 ? "1 entry" : "\(count) entries"
    failures.append(
      Failure(
        path: backup.path,
        reason: "The backup of the tags has \(entries) that cannot be decoded. The tags in "
          + "\(count == 1 ? "it" : "them") cannot be restored."))
  }

  /// Changes the tags of a file, and adds the file or the reason why it stays unchanged.
  ///
  /// - Parameter changes: Receives the tags, and returns their changes.
  /// - Returns: `false` if the file stays unchanged because of an error.
  /// - Throws: Any error of the closure besides an `AudioFileError`.
  fileprivate mutating func noteChange(
    of path: String, _ changes: (AudioTags) throws -> [TagChange]
  ) throws -> Bool {
    var changed: [TagChange] = []
    do {
      try AudioFile.rewriteTags(of: URL(fileURLWithPath: path)) { tags in
        changed = try changes(tags)
        return Dictionary(changed.map { ($0.name, $0.new) }) { $1 }
      }
    } catch let error as AudioFileError {
      note(error)
      return false
    }
    note(path, changed)
    return true
  }
}
