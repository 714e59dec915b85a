public import CoreData
import Foundation
public import OpenPersistenceKit

/// The library's model document, with all its versions.
///
/// | Step | Change |
/// |---|---|
/// | 1 → 2 | what a rescan compares, edited fields, plays and files that cannot be read; a user is never inactive; the description of a playlist is called summary; each track has a rating, 0 for none |
/// | 2 → 3 | names and sort names of artists are told apart ("Beatles, The" becomes "The Beatles"); keys for searching and sorting |
public enum KanoraModel {
  /// The name of the model and of its document.
  public static let name = "Kanora"
  /// The number of the newest version; the first one is 1.
  public static let newestVersion = 3

  /// The model document.
  static var document: URL {
    Bundle.module.bundleURL.appendingPathComponent("\(name).xcdatamodeld")
  }

  /// Reads the newest version of the model.
  ///
  /// - Returns: A new model for each call.
  /// - Throws: `ModelError` when the document is missing or wrong.
  public static func make() throws -> NSManagedObjectModel {
    try NSManagedObjectModel.reading(document)
  }

  /// Reads a version of the model.
  ///
  /// - Parameter version: The version's number.
  /// - Returns: A new model for each call.
  /// - Throws: `ModelError` when there is no such version.
  public static func make(version: Int) throws -> NSManagedObjectModel {
    try NSManagedObjectModel.reading(
      document.appendingPathComponent("\(name) \(version).xcdatamodel"))
  }

  /// The migration of a store's file to the newest version, which passes through every version that has a mapping model.
  ///
  /// - Parameter file: The store's file.
  /// - Throws: `ModelError` when the document is missing or wrong.
  public static func migration(of file: URL) throws -> StoreMigration {
    let versions = try (1...newestVersion).map {
      StoreMigration.Version("\($0)", try make(version: $0))
    }
    return StoreMigration(
      storeAt: file, versions: versions, mappings: [try ArtistNameSplit.makeMapping()])
  }
}
