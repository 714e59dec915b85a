import CoreData
public import Foundation
import OpenPersistenceKit
import Synchronization

/// An edit of one or more tracks that can be previewed before it is saved, or discarded.
///
/// The changes are made in a child of the main context. A save makes them again, in the current state of the library and while no other
/// program changes it, and records them as one undo step.
///
/// > Concurrency: Shared; works on the main queue, which must be free.
// Invariant of the unchecked conformance: immutable except for a mutex; the context is used on the main queue only.
public final class TrackEditing: @unchecked Sendable {
  private let desk: LibraryDesk
  private let context: NSManagedObjectContext
  /// The applied changes that are not saved.
  private let applied = Mutex<[TrackChange]>([])
  /// The tracks, in the order in which they are numbered.
  public let trackIDs: [UUID]

  /// Creates an edit of the given tracks.
  ///
  /// - Parameters:
  ///   - ids: The tracks, in the order in which they are numbered.
  ///   - desk: The desk of the library.
  public init(_ ids: [UUID], at desk: LibraryDesk) {
    self.desk = desk
    trackIDs = ids
    context = desk.store.newChildContext()
  }

  /// Applies changes without saving them. Their effect in the current library can be previewed with ``differences()``.
  ///
  /// - Parameter changes: The changes, in order.
  /// - Throws: `KanoraError` with code `.badValue` or `.notFound`; no change is then applied.
  public func apply(_ changes: [TrackChange]) async throws {
    try await desk.mergeOthers()
    try await make(changes)
    applied.withLock { $0 += changes }
  }

  /// Makes changes in the context.
  private func make(_ changes: [TrackChange]) async throws {
    let instant = desk.now()
    try await context.perform { [context, trackIDs] in
      let tracks = try LibraryDesk.objects(Track.self, trackIDs, in: context)
      let values = try Self.values(of: tracks, after: changes)
      try Self.write(values, to: tracks, at: instant, in: context)
    }
  }

  /// Writes new values to tracks in a context, and moves the tracks to the albums that the values specify.
  ///
  /// - Parameters:
  ///   - values: The values of each track that change, as ``values(of:after:)`` returns them.
  ///   - tracks: All tracks to change: an album is renamed only if all its tracks move together.
  static func write(
    _ values: [Values], to tracks: [Track], at instant: Date, in context: NSManagedObjectContext
  ) throws {
    for (track, new) in zip(tracks, values) { setOwnFields(of: track, new, at: instant) }
    try AlbumMoves(context: context, instant: instant).move(tracks, to: values)
  }

  /// Returns the fields of each track that the changes alter. Unchanged fields are omitted.
  ///
  /// - Throws: Any error that reading the tracks throws.
  public func differences() async throws -> [TrackDifference] {
    let parent = desk.store.viewContext
    return try await context.perform { [context, trackIDs] in
      let before = try LibraryDesk.objects(Track.self, trackIDs, in: parent)
      let after = try LibraryDesk.objects(Track.self, trackIDs, in: context)
      return zip(before, after).flatMap { old, new in
        TrackField.allCases.compactMap { field in
          let (was, becomes) = (field.value(of: old), field.value(of: new))
          if was.hasSameBytes(as: becomes) { return nil }
          return TrackDifference(
            trackID: old.id, title: old.title, field: field, old: was, new: becomes)
        }
      }
    }
  }

  /// Saves the changes as one undo step.
  ///
  /// - Throws: `KanoraError` with code `.badValue` or `.notFound` if another program has changed the library so that the changes are no
  ///   longer possible; any error the save throws. The library is then unchanged, and the edit can be saved again.
  public func save() async throws {
    try await desk.inTurn {
      let changes = applied.withLock { $0 }
      // Albums and values may have changed since the changes were applied.
      await context.perform { [context] in context.reset() }
      try await make(changes)
      try await commit()
    }
    applied.withLock { $0 = [] }
  }

  /// Saves the context. Call in the turn of the desk.
  private func commit() async throws {
    try await context.perform { [context, desk, trackIDs] in
      try desk.save(context, as: LibraryDesk.name("Edit", trackIDs.count))
    }
  }

  /// Discards the changes.
  public func cancel() async {
    applied.withLock { $0 = [] }
    await context.perform { [context] in context.rollback() }
  }

  // MARK: Values

  typealias Values = [TrackField: String]

  /// Returns the values of each track that differ after the changes.
  static func values(of tracks: [Track], after changes: [TrackChange]) throws -> [Values] {
    var values = tracks.map { _ in Values() }
    for change in changes {
      for (index, track) in tracks.enumerated() {
        func current(_ field: TrackField) -> String {
          values[index][field] ?? field.value(of: track)
        }
        switch change {
        case .set(let field, let text):
          // Tags and other programs can store values that an edit refuses. An edit that keeps such a value is valid.
          if !text.hasSameBytes(as: current(field)) {
            values[index][field] = try field.checked(text)
          }
        case .replace(let field, let find, let with):
          guard !find.isEmpty else { throw KanoraError(.badValue, "The text to find is empty.") }
          let old = current(field)
          let new = old.replacingOccurrences(of: find, with: with)
          if !new.hasSameBytes(as: old) { values[index][field] = try field.checked(new) }
        case .number(let first):
          let number = first.addingReportingOverflow(index)
          guard !number.overflow else {
            throw KanoraError(.badValue, "The track numbers are too large.")
          }
          values[index][.trackNumber] = try TrackField.trackNumber.checked(
            String(number.partialValue))
        }
      }
    }
    return zip(tracks, values).map { track, new in
      new.filter { !$0.value.hasSameBytes(as: $0.key.value(of: track)) }
    }
  }

  /// Sets the fields stored on the track itself, and records which fields the user has edited.
  private static func setOwnFields(of track: Track, _ values: Values, at instant: Date) {
    guard !values.isEmpty else { return }
    for (field, text) in values {
      let optional = text.isEmpty ? nil : text
      switch field {
      case .title: track.title = text
      case .artist: track.artistName = optional
      case .genre: track.genre = optional
      case .year: track.year = Int32(text)
      case .trackNumber: track.trackNumber = Int16(text)
      case .discNumber: track.discNumber = Int16(text) ?? 1
      case .composer: track.composer = optional
      case .lyrics: track.lyrics = optional
      case .album, .albumArtist: break
      }
    }
    track.editedFields.formUnion(values.keys.map(\.rawValue))
    track.updatedAt = instant
    track.updateKeys()
  }
}

extension TrackEditing {
  /// Makes and saves changes. Call in the turn of the desk.
  ///
  /// - Returns: The changed fields.
  fileprivate func carryOut(_ changes: [TrackChange]) async throws -> [TrackDifference] {
    try await make(changes)
    let differences = try await differences()
    try await commit()
    return differences
  }
}

extension LibraryDesk {
  /// Edits tracks as one undo step, without a preview.
  ///
  /// - Returns: The changed fields.
  /// - Throws: `KanoraError` with code `.badValue` or `.notFound`; any error the save throws. The library is then unchanged.
  @discardableResult
  public func edit(_ ids: [UUID], _ changes: [TrackChange]) async throws -> [TrackDifference] {
    try await inTurn { try await TrackEditing(ids, at: self).carryOut(changes) }
  }

  /// Returns what an edit would change, without changing anything.
  ///
  /// - Throws: `KanoraError` with code `.badValue` or `.notFound`.
  public func preview(_ ids: [UUID], _ changes: [TrackChange]) async throws -> [TrackDifference] {
    let editing = TrackEditing(ids, at: self)
    try await editing.apply(changes)
    return try await editing.differences()
  }
}
