import AudioFiles
import CoreData
import Foundation

/// The stored values of files, read without creating objects.
///
/// Stateless. Call on the context's queue.
enum StoredStamps {
  /// Returns the stamps of the tracks at the given paths whose files were present at the last scan, with one statement.
  static func of(
    _ paths: [String], in context: NSManagedObjectContext
  ) throws -> [PathKey: FileStamp] {
    let request = NSFetchRequest<NSDictionary>(entityName: "Track")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["filePath", "fileSize", "fileModifiedAt"]
    request.predicate = NSPredicate(
      format: "filePath IN %@ AND missingSince == nil", argumentArray: [paths])
    var stamps: [PathKey: FileStamp] = [:]
    for row in try context.fetch(request) {
      guard let path = row["filePath"] as? String, let size = row["fileSize"] as? Int64,
        let modified = row["fileModifiedAt"] as? Date
      else { continue }
      stamps[PathKey(path)] = FileStamp(size: size, modified: modified)
    }
    return stamps
  }

  /// Returns one page of the paths that are not missing: those of a library's tracks, and those in its folder.
  ///
  /// If the folder of one library contains that of another one, a track in both folders belongs to the library that was scanned last.
  static func paths(
    of library: LibraryScanner.Target, from offset: Int, limit: Int,
    in context: NSManagedObjectContext
  ) throws -> [String] {
    let folder = library.folder.path
    let request = NSFetchRequest<NSDictionary>(entityName: "Track")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["filePath"]
    request.predicate = NSPredicate(
      format:
        "(album.artist.library == %@ OR filePath BEGINSWITH %@) AND missingSince == nil",
      argumentArray: [library.id, folder.hasSuffix("/") ? folder : folder + "/"])
    request.sortDescriptors = [NSSortDescriptor(key: "filePath", ascending: true)]
    request.fetchOffset = offset
    request.fetchLimit = limit
    return try context.fetch(request).compactMap { $0["filePath"] as? String }
  }

  /// Returns the given fingerprints for which a library has a track whose file exists.
  static func fingerprints(
    among wanted: Set<String>, of library: NSManagedObjectID, in context: NSManagedObjectContext
  ) throws -> Set<String> {
    let request = NSFetchRequest<NSDictionary>(entityName: "Track")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["fingerprint", "filePath"]
    request.predicate = NSPredicate(
      format: "fingerprint IN %@ AND album.artist.library == %@",
      argumentArray: [wanted.sorted(), library])
    var found: Set<String> = []
    for row in try context.fetch(request) {
      guard let fingerprint = row["fingerprint"] as? String, let path = row["filePath"] as? String,
        !FilePresence.isGone(path)
      else { continue }
      found.insert(fingerprint)
    }
    return found
  }
}
