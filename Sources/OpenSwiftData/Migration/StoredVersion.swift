internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel

/// What a store's metadata say of the schema that it was written with.
struct StoredVersion {
  /// The number; nil for a store that has none, as one of a Core Data stack.
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

  /// The number of a model's version.
  static func number(of model: NSManagedObjectModel) -> Schema.Version? {
    model.versionIdentifiers.compactMap { ($0 as? String).flatMap { Schema.Version(text: $0) } }
      .max()
  }

  /// What was found, for errors.
  var description: String {
    let version = number.map { "version \($0)" } ?? "no version number"
    return "The store \(place) has \(version) and the models \(entityNames.joined(separator: ", "))"
  }

  /// The error for a store that is newer than the program.
  ///
  /// - Parameters:
  ///   - known: The newest version that the program knows.
  ///   - cause: What the attempt to open the store threw.
  func isNewer(than known: Schema.Version?, _ cause: (any Error)? = nil) -> SwiftDataError {
    let own = known.map { "\($0)" } ?? "no version"
    return SwiftDataError(
      .backwardMigration,
      "\(description). The program opens it with version \(own), and stores are not migrated back. Open it with the newer program.",
      cause)
  }
}
