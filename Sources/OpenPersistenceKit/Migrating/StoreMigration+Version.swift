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
    ///   - model: The model.
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
  /// - Throws: `ModelError` if the versions cannot be read.
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
      let codes = [
        CocoaError.Code.fileReadNoSuchFile.rawValue, CocoaError.Code.fileReadCorruptFile.rawValue,
        NSMigrationMissingSourceModelError,
      ]
      guard codes.contains(error.code.rawValue) else { throw error }
      return true
    }
  }
}
