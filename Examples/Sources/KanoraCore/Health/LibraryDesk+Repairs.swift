import CoreData
import Foundation
import OpenPersistenceKit

extension LibraryDesk {
  /// Repairs the problems that a check finds, as one undo step.
  ///
  /// - Parameters:
  ///   - kinds: The kinds of problems to repair, as described by ``LibraryFinding/Kind/repair``.
  ///   - check: The check that finds the problems.
  /// - Returns: The repaired problems.
  /// - Throws: `KanoraError` with code `.notFound` if there is no library; any error a fetch or the save throws.
  @discardableResult
  public func repair(
    _ kinds: Set<LibraryFinding.Kind>, with check: LibraryCheck = LibraryCheck()
  ) async throws -> [LibraryFinding] {
    let instant = now()
    let (context, desk) = (store.viewContext, self)
    return try await inTurn {
      try await context.perform {
        var repaired: [LibraryFinding] = []
        try desk.grouped("Repair Library", in: context) { noteChanges in
          // Each kind is saved before the check for the next one: checks read the saved state, and a later kind finds what an earlier
          // repair causes, such as an empty album.
          for kind in LibraryFinding.Kind.allCases where kinds.contains(kind) {
            let findings = try check.findings([kind], in: context)
            if findings.isEmpty { continue }
            let child = desk.store.newChildContext()
            try Self.repair(kind, findings.map(\.id), at: instant, in: child)
            try child.save()
            context.processPendingChanges()
            try noteChanges()
            try context.save()
            repaired += findings
          }
        }
        return repaired
      }
    }
  }

  /// Records work that saves several times as one undo step; an error undoes all of it.
  private func grouped(
    _ name: String, in context: NSManagedObjectContext,
    _ work: (_ noteChanges: () throws -> Void) throws -> Void
  ) throws {
    // A group without changes is not an undo step; undoing it would undo an earlier action.
    var hasChanges = false
    guard let manager = context.undoManager else { return try work {} }
    let record = StepRecord(.repair)
    var changes = StepChanges()
    var isRecorded = true
    context.processPendingChanges()
    manager.beginUndoGrouping()
    do {
      try work {
        hasChanges = true
        record.noteChanges(in: context)
        changes.note(in: context)
        if let journal { isRecorded = try journal.record(record, as: name, changes, at: now()) }
      }
    } catch {
      context.processPendingChanges()
      manager.endUndoGrouping()
      if hasChanges { manager.undo() }
      context.processPendingChanges()
      try context.save()
      journal?.noteIfPossible(.undo, record.id)
      throw error
    }
    context.processPendingChanges()
    manager.endUndoGrouping()
    guard hasChanges else { return }
    record.readValues()
    manager.setActionName(name)
    manager.setActionUserInfoValue(record, forKey: StepRecord.key)
    if !isRecorded { reportUnrecorded(name) }
  }

  private static func repair(
    _ kind: LibraryFinding.Kind, _ ids: [UUID], at instant: Date, in context: NSManagedObjectContext
  ) throws {
    switch kind {
    case .trackWithoutAlbum:
      let tracks = try objects(Track.self, ids, in: context)
      let unknown: [TrackField: String] = [
        .album: Album.unknownTitle, .albumArtist: Artist.unknownName,
      ]
      try AlbumMoves(context: context, instant: instant)
        .move(tracks, to: tracks.map { _ in unknown })
    case .albumWithoutArtist:
      let moves = AlbumMoves(context: context, instant: instant)
      for album in try objects(Album.self, ids, in: context) {
        album.artist = try moves.artist(Artist.unknownName, in: moves.firstLibrary())
      }
    case .artistWithoutLibrary:
      guard !ids.isEmpty else { return }
      let moves = AlbumMoves(context: context, instant: instant)
      guard let library = try moves.firstLibrary() else {
        throw KanoraError(
          .notFound, "There is no library to add the artists to. Scan a folder to create a library."
        )
      }
      for artist in try objects(Artist.self, ids, in: context) { artist.library = library }
    case .doubledPath: try merge("filePath", in: context)
    case .duplicateAudio: try merge("fingerprint", in: context)
    case .positions:
      for playlist in try objects(Playlist.self, ids, in: context) {
        for item in playlist.items where item.track == nil { context.delete(item) }
        context.processPendingChanges()
        renumber(playlist.orderedItems)
      }
    case .missingFile: try delete(objects(Track.self, ids, in: context), in: context)
    case .wrongTotals:
      for album in try objects(Album.self, ids, in: context) { album.updateTotals() }
    case .emptyAlbum:
      for album in try objects(Album.self, ids, in: context) { context.delete(album) }
    case .emptyArtist:
      for artist in try objects(Artist.self, ids, in: context) { context.delete(artist) }
    }
  }

  /// Deletes duplicates; the best track of each group gets their plays and playlist items.
  private static func merge(_ key: String, in context: NSManagedObjectContext) throws {
    for group in try DuplicateFinder.groups(by: key, in: context) {
      guard let best = group.first else { continue }
      for other in group.dropFirst() {
        for item in other.playlistItems { item.track = best }
        for play in other.plays { play.track = best }
        best.playCount = Int32(clamping: Int64(best.playCount) + Int64(other.playCount))
        best.lastPlayedAt = [best.lastPlayedAt, other.lastPlayedAt].compactMap { $0 }.max()
        best.rating = max(best.rating, other.rating)
        if other.isLoved { best.isLoved = true }
      }
      context.processPendingChanges()
      try delete(Array(group.dropFirst()), in: context)
    }
  }
}
