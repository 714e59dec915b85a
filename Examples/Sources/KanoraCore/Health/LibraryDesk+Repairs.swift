import CoreData
import Foundation
import OpenPersistenceKit

extension LibraryDesk {
  /// Repairs what a check found, as one step that can be undone.
  ///
  /// - Parameters:
  ///   - kinds: What is repaired, as ``LibraryFinding/Kind/repair`` says.
  ///   - check: How it is looked for.
  /// - Returns: What was repaired.
  /// - Throws: `KanoraError` with code `.notFound` where there is no library; what a fetch or the save throws.
  @discardableResult
  public func repair(
    _ kinds: Set<LibraryFinding.Kind>, with check: LibraryCheck = LibraryCheck()
  ) async throws -> [LibraryFinding] {
    let instant = now()
    let context = store.viewContext
    return try await context.perform { [store] in
      var repaired: [LibraryFinding] = []
      try Self.grouped("Repair Library", in: context) { noteChange in
        // Each kind is saved before the next one is looked for: checks count what is saved, and what one repair leaves behind, such as an
        // empty album, the next one finds.
        for kind in LibraryFinding.Kind.allCases where kinds.contains(kind) {
          let findings = try check.findings([kind], in: context)
          if findings.isEmpty { continue }
          let child = store.newChildContext()
          try Self.repair(kind, findings.map(\.id), at: instant, in: child)
          try child.save()
          noteChange()
          context.processPendingChanges()
          try context.save()
          repaired += findings
        }
      }
      return repaired
    }
  }

  /// Makes one step of work that saves several times; an error takes all of it back.
  private static func grouped(
    _ name: String, in context: NSManagedObjectContext,
    _ work: (_ noteChange: () -> Void) throws -> Void
  ) throws {
    // A group without changes is no step: what could be undone then is an earlier action.
    var hasChanges = false
    guard let manager = context.undoManager else { return try work {} }
    context.processPendingChanges()
    manager.beginUndoGrouping()
    do { try work { hasChanges = true } } catch {
      context.processPendingChanges()
      manager.endUndoGrouping()
      if hasChanges { manager.undo() }
      context.processPendingChanges()
      try context.save()
      throw error
    }
    context.processPendingChanges()
    manager.endUndoGrouping()
    if hasChanges { manager.setActionName(name) }
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
        throw KanoraError(.notFound, "There is no library to add the artists to; add one.")
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

  /// Deletes duplicates; the best track of each group gets their plays and their places in playlists.
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
