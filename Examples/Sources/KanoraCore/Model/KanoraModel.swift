public import CoreData
import Foundation
public import OpenPersistenceKit

/// The library's model document, with all its versions.
///
/// | Step | Change |
/// |---|---|
/// | 1 → 2 | the values that a rescan compares, edited fields, plays and unreadable files; a user is never inactive; the description of a playlist is named summary; each track has a rating, 0 for none |
/// | 2 → 3 | names and sort names of artists are separated ("Beatles, The" becomes "The Beatles"); keys for searching and sorting |
public enum KanoraModel {
  /// The name of the model and of its document.
  public static let name = "Kanora"
  /// The number of the newest version. Versions start at 1.
  public static let newestVersion = 3

  /// The model document.
  static var document: URL {
    Bundle.module.bundleURL.appendingPathComponent("\(name).xcdatamodeld")
  }

  /// Reads the newest version of the model.
  ///
  /// - Returns: A new model for each call.
  /// - Throws: `ModelError` if the document is missing or invalid.
  public static func make() throws -> NSManagedObjectModel {
    try NSManagedObjectModel.reading(document)
  }

  /// Reads a version of the model.
  ///
  /// - Parameter version: The version's number.
  /// - Returns: A new model for each call.
  /// - Throws: `ModelError` if there is no such version.
  public static func make(version: Int) throws -> NSManagedObjectModel {
    try NSManagedObjectModel.reading(
      document.appendingPathComponent("\(name) \(version).xcdatamodel"))
  }

  /// Returns the migration of a store's file to the newest version, which passes through every version that has a mapping model.
  ///
  /// - Parameter file: The store's file.
  /// - Throws: `ModelError` if the document is missing or invalid.
  public static func migration(of file: URL) throws -> StoreMigration {
    let versions = try (1...newestVersion).map {
      StoreMigration.Version("\($0)", try make(version: $0))
    }
    var migration = StoreMigration(
      storeAt: file, versions: versions, mappings: [try ArtistNameSplit.makeMapping()])
    // The folder of `coredata backup` also contains backups of the user, which the migration must not delete.
    migration.backups = StoreBackups(
      ofStoreAt: file, in: URL(fileURLWithPath: "\(file.path).migration-backups"))
    return migration
  }
}
