internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel

/// The version of the schema that a store was last written with, from the store's metadata.
struct StoredVersion {
  /// The version number; `nil` for a store without a version number, such as the store of a Core
  /// Data stack.
  let number: Schema.Version?
  private let entityNames: [String]
  private let place: String

  init(_ metadata: [String: Any], at url: URL) {
    let texts = metadata[NSStoreModelVersionIdentifiersKey] as? [String] ?? []
    number = texts.compactMap { Schema.Version(text: $0) }.max()
    let hashes = NSManagedObjectModel.versionHashes(in: metadata) ?? [:]
    entityNames = hashes.keys.sorted()
    place = url.path
  }

  /// Returns the version number of a model.
  static func number(of model: NSManagedObjectModel) -> Schema.Version? {
    model.versionIdentifiers.compactMap { ($0 as? String).flatMap { Schema.Version(text: $0) } }
      .max()
  }

  /// The store, its version number and its models, for error messages.
  var description: String {
    let version = number.map { "version \($0)" } ?? "no version number"
    return "The store \(place) has \(version) and the models \(entityNames.joined(separator: ", "))"
  }

  /// Returns the error for a store that is newer than the program.
  ///
  /// - Parameters:
  ///   - known: The newest version that the program has.
  ///   - cause: The error that the attempt to open the store threw.
  func isNewer(than known: Schema.Version?, _ cause: (any Error)? = nil) -> SwiftDataError {
    let own = known.map { "version \($0)" } ?? "no version number"
    return SwiftDataError(
      .backwardMigration,
      "\(description). The program has \(own). A store cannot be migrated to an older version. Use a newer version of the program.",
      cause)
  }
}
