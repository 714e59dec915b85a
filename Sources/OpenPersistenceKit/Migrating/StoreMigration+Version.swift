public import Foundation
internal import OpenObjectGraph
public import OpenObjectModel

extension StoreMigration {
  /// A version of a model, and the name that identifies the version in plans and arguments.
  public struct Version {
    /// The version's name, unique among the versions.
    public let name: String
    /// The managed object model of the version.
    public let model: NSManagedObjectModel

    /// Creates a version.
    ///
    /// - Parameters:
    ///   - name: The version's name, unique among the versions.
    ///   - model: The managed object model of the version.
    public init(_ name: String, _ model: NSManagedObjectModel) {
      self.name = name
      self.model = model
    }
  }

  /// Returns the versions in a model's folder, sorted by name.
  ///
  /// Numbers in names are sorted by value, so `Library 2` precedes `Library 10`.
  ///
  /// - Parameter folder: A `.momd` or `.xcdatamodeld` folder.
  /// - Throws: `ModelError` with code `.unreadable` if the folder contains no version or a version
  ///   cannot be read, with code `.malformed` if a version is damaged, or with another code if a
  ///   model is invalid.
  public static func versions(at folder: URL) throws -> [Version] {
    try ModelVersions.read(folder).map { Version($0.name, $0.model) }
      .sorted { $0.name.compare($1.name, options: .numeric) == .orderedAscending }
  }

  /// Returns whether the store no longer has a version. The result is true for a store that is
  /// missing or damaged, or that has none of the versions.
  func hasLeft(_ version: String) throws -> Bool {
    do {
      return try currentVersion != version
    } catch let error as CocoaError {
      guard
        Self.isMissing(error) || error.code.rawValue == NSMigrationMissingSourceModelError
      else { throw error }
      return true
    }
  }

  /// Returns whether an error states that a store is missing or damaged.
  private static func isMissing(_ error: CocoaError) -> Bool {
    error.code == .fileReadNoSuchFile || error.code == .fileReadCorruptFile
  }

  /// Returns the identifier of the store; nil if the store is missing or damaged.
  func storeIdentifier() throws -> String? {
    do {
      let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
        ofType: type, at: url, options: options)
      return metadata[NSStoreUUIDKey] as? String
    } catch let error as CocoaError where Self.isMissing(error) {
      return nil
    }
  }

  /// Requires that an interrupted migration was not a migration of another store.
  ///
  /// - Throws: `CocoaError` 134110 if the journal was written for another store.
  func requireStore(of interrupted: Interrupted) throws {
    guard try !interrupted.mayConcern(storeWithIdentifier: storeIdentifier()) else { return }
    throw CocoaError.make(
      CocoaError.Code(rawValue: NSMigrationError),
      "The interrupted migration was a migration of another store, which is no longer at this location. Move the store to another location before you undo the migration.",
      path: url.path)
  }
}
