import CoreData
public import Foundation
import OpenPersistenceKit

/// An edit of one or many tracks that can be looked at before it is saved, and given up.
///
/// The changes are made in a child of the main context. Saving makes them one step that can be undone.
///
/// > Concurrency: Shared; works on the main queue, which must be free.
// Invariant of the unchecked conformance: immutable; the context is used on the main queue only.
public final class TrackEditing: @unchecked Sendable {
  private let desk: LibraryDesk
  private let context: NSManagedObjectContext
  /// The tracks, in the order in which they are numbered.
  public let trackIDs: [UUID]

  /// Begins to edit tracks.
  ///
  /// - Parameters:
  ///   - ids: The tracks, in the order in which they are numbered.
  ///   - desk: The desk of the library.
  public init(_ ids: [UUID], at desk: LibraryDesk) {
    self.desk = desk
    trackIDs = ids
    context = desk.store.newChildContext()
  }

  /// Makes changes, which are not saved yet.
  ///
  /// - Parameter changes: The changes, in their order.
  /// - Throws: `KanoraError` with code `.badValue` or `.notFound`; nothing of the changes is made then.
  public func apply(_ changes: [TrackChange]) async throws {
    let instant = desk.now()
    try await context.perform { [context, trackIDs] in
      let tracks = try LibraryDesk.objects(Track.self, trackIDs, in: context)
      _ = try Self.carryOut(changes, on: tracks, at: instant, in: context)
    }
  }

  /// Makes changes of tracks in a context; nothing is changed if one of them is refused.
  ///
  /// - Returns: Whether anything changed.
  static func carryOut(
    _ changes: [TrackChange], on tracks: [Track], at instant: Date,
    in context: NSManagedObjectContext
  ) throws -> Bool {
    let values = try values(of: tracks, after: changes)
    for (track, new) in zip(tracks, values) { setOwnFields(of: track, new, at: instant) }
    try AlbumMoves(context: context, instant: instant).move(tracks, to: values)
    return values.contains { !$0.isEmpty }
  }

  /// What the changes make of each track, field by field; nothing for fields that stay.
  ///
  /// - Throws: What reading the tracks throws.
  public func differences() async throws -> [TrackDifference] {
    let parent = desk.store.viewContext
    return try await context.perform { [context, trackIDs] in
      let before = try LibraryDesk.objects(Track.self, trackIDs, in: parent)
      let after = try LibraryDesk.objects(Track.self, trackIDs, in: context)
      return zip(before, after).flatMap { old, new in
        TrackField.allCases.compactMap { field in
          let (was, becomes) = (field.value(of: old), field.value(of: new))
          if was == becomes { return nil }
          return TrackDifference(
            trackID: old.id, title: old.title, field: field, old: was, new: becomes)
        }
      }
    }
  }

  /// Saves the changes as one step.
  ///
  /// - Throws: What the save throws; the library is as before then, and the edit can be saved again.
  public func save() async throws {
    let parent = desk.store.viewContext
    try await context.perform { [context, trackIDs] in
      try LibraryDesk.save(context, as: LibraryDesk.name("Edit", trackIDs.count), into: parent)
    }
  }

  /// Gives the changes up.
  public func cancel() async { await context.perform { [context] in context.rollback() } }

  // MARK: Values

  private typealias Values = [TrackField: String]

  /// The values of each track that changes make others of what it has.
  private static func values(
    of tracks: [Track], after changes: [TrackChange]
  ) throws -> [[TrackField: String]] {
    var values = tracks.map { _ in Values() }
    for change in changes {
      for (index, track) in tracks.enumerated() {
        func current(_ field: TrackField) -> String {
          values[index][field] ?? field.value(of: track)
        }
        switch change {
        case .set(let field, let text): values[index][field] = try field.checked(text)
        case .replace(let field, let find, let with):
          guard !find.isEmpty else { throw KanoraError(.badValue, "There is no text to find.") }
          let old = current(field)
          let new = old.replacingOccurrences(of: find, with: with)
          if new != old { values[index][field] = try field.checked(new) }
        case .number(let first):
          let number = first.addingReportingOverflow(index)
          guard !number.overflow else {
            throw KanoraError(.badValue, "The numbers are too large.")
          }
          values[index][.trackNumber] = try TrackField.trackNumber.checked(
            String(number.partialValue))
        }
      }
    }
    return zip(tracks, values).map { track, new in
      new.filter { $0.value != $0.key.value(of: track) }
    }
  }

  /// Sets the fields that are the track's own, and notes which ones the user has edited.
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

extension LibraryDesk {
  /// Edits tracks as one step, without looking at it first.
  ///
  /// - Returns: What changed.
  /// - Throws: `KanoraError` with code `.badValue` or `.notFound`; what the save throws. The library is as before then.
  @discardableResult
  public func edit(_ ids: [UUID], _ changes: [TrackChange]) async throws -> [TrackDifference] {
    let editing = TrackEditing(ids, at: self)
    try await editing.apply(changes)
    let differences = try await editing.differences()
    try await editing.save()
    return differences
  }

  /// What an edit would change; nothing is changed.
  ///
  /// - Throws: `KanoraError` with code `.badValue` or `.notFound`.
  public func preview(_ ids: [UUID], _ changes: [TrackChange]) async throws -> [TrackDifference] {
    let editing = TrackEditing(ids, at: self)
    try await editing.apply(changes)
    return try await editing.differences()
  }
}
