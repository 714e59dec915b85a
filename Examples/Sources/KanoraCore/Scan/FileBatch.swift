import AudioFiles
import CoreData
import Foundation
import OpenPersistenceKit

/// The files that one save imports into a library.
///
/// A value. A batch executes a bounded number of statements, regardless of the number of files.
struct FileBatch: Sendable {
  /// The maximum number of files in a batch.
  static let size = 100

  /// The result of importing a batch.
  struct Outcome: Sendable {
    var newCount = 0
    var changedCount = 0
    var movedCount = 0
    /// The albums that tracks were moved out of.
    var leftAlbums: Set<NSManagedObjectID> = []
  }

  let library: NSManagedObjectID
  let files: [ScannedFile]
  /// Folders and names that could not be examined.
  let troubles: [AudioFileError]
  let now: Date

  /// Imports the files and saves.
  ///
  /// - Parameter context: A context without changes, whose merge policy throws on conflicts.
  /// - Throws: Any error a fetch or the save throws; nothing is then imported.
  func importFiles(in context: NSManagedObjectContext) throws -> Outcome {
    let library = try Self.library(library, in: context)
    let plan = try MovePlan(files, of: library, in: context)
    try plan.freePaths(in: context, now: now)
    var outcome = try run(plan, in: library, context)
    try noteBadFiles(of: library, in: context)
    try context.save()
    try Self.deleteEmptied(outcome.leftAlbums, in: context)
    outcome.leftAlbums = []
    return outcome
  }

  static func library(
    _ id: NSManagedObjectID, in context: NSManagedObjectContext
  ) throws -> Library {
    guard let library = try context.existingObject(with: id) as? Library else {
      throw KanoraError(.notFound, "The library was deleted during the scan.")
    }
    return library
  }

  private func run(
    _ plan: MovePlan, in library: Library, _ context: NSManagedObjectContext
  ) throws -> Outcome {
    let names = files.compactMap { file in
      (try? file.content.get()).map { AlbumNaming($0.tags) }
    }
    var outcome = Outcome()
    guard !names.isEmpty else { return outcome }
    var importer = TrackImporter(try AlbumBatch(names, of: library, in: context), now: now)
    for step in plan.steps {
      let left: Album?
      switch step {
      case .insert(let file, let path):
        let track = Track(context: context)
        track.createdAt = now
        left = importer.importFile(file, at: path, into: track)
        outcome.newCount += 1
      case .update(let track, let file, let path):
        left = importer.importFile(file, at: path, into: track)
        outcome.changedCount += 1
      case .move(let track, let file, let path):
        left = importer.importFile(file, at: path, into: track)
        outcome.movedCount += 1
      }
      if let left { outcome.leftAlbums.insert(left.objectID) }
    }
    return outcome
  }

  // MARK: Bad files

  private func noteBadFiles(of library: Library, in context: NSManagedObjectContext) throws {
    var errors = troubles
    var readable: Set<PathKey> = []
    for file in files {
      switch file.content {
      case .success: readable.insert(PathKey(file.path))
      case .failure(let error): errors.append(error)
      }
    }
    let paths = Set(errors.map { PathKey($0.path) }).union(readable)
    guard !paths.isEmpty else { return }
    let request = NSFetchRequest<BadFile>(entityName: "BadFile")
    request.predicate = NSPredicate(
      format: "path IN %@", argumentArray: [paths.map(\.path).sorted()])
    request.returnsObjectsAsFaults = false
    var known: [PathKey: BadFile] = [:]
    for bad in try context.fetch(request) {
      if readable.contains(PathKey(bad.path)) {
        context.delete(bad)
      } else {
        known[PathKey(bad.path)] = bad
      }
    }
    for error in errors {
      let bad = known[PathKey(error.path)] ?? BadFile(context: context)
      known[PathKey(error.path)] = bad
      (bad.path, bad.reason, bad.seenAt) = (error.path, error.message, now)
      bad.library = library
    }
  }

  // MARK: Emptied albums

  /// Deletes the given albums that have no tracks, and their artists that have no albums.
  private static func deleteEmptied(
    _ ids: Set<NSManagedObjectID>, in context: NSManagedObjectContext
  ) throws {
    guard !ids.isEmpty else { return }
    let request = NSFetchRequest<Album>(entityName: "Album")
    request.predicate = NSPredicate(
      format: "SELF IN %@ AND tracks.@count == 0", argumentArray: [Array(ids)])
    // Prefetches the relationships that delete rules traverse.
    request.relationshipKeyPathsForPrefetching = ["artist", "tracks"]
    let albums = try context.fetch(request)
    let artists = Set(albums.compactMap { $0.artist?.objectID })
    for album in albums { context.delete(album) }
    if context.hasChanges { try context.save() }
    guard !artists.isEmpty else { return }
    let artistRequest = NSFetchRequest<Artist>(entityName: "Artist")
    artistRequest.predicate = NSPredicate(
      format: "SELF IN %@ AND albums.@count == 0", argumentArray: [Array(artists)])
    artistRequest.relationshipKeyPathsForPrefetching = ["albums", "library"]
    for artist in try context.fetch(artistRequest) { context.delete(artist) }
    if context.hasChanges { try context.save() }
  }
}
