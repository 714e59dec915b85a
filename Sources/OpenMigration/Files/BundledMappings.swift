package import Foundation
internal import OpenObjectGraph

/// The mapping models in bundles, in the order of the bundles, and within a bundle in the order of
/// the file names.
package struct BundledMappings {
  /// The mapping models that can be read.
  package private(set) var models: [NSMappingModel] = []
  /// The errors of the mapping models that are damaged or cannot be read.
  private var failures: [MigrationError] = []

  /// Reads the mapping models in bundles. If a mapping model is damaged or cannot be read,
  /// ``requireReadable()`` throws an error.
  package init(_ bundles: [Bundle]) {
    for url in bundles.flatMap({ NSMappingModel.mappingFiles(in: $0) }) {
      do throws(MigrationError) {
        models.append(try NSMappingModel.reading(url))
      } catch {
        if MappingSearch.isUnreadable(url, error) { failures.append(error) }
      }
    }
  }

  /// Throws an error if a mapping model is damaged or cannot be read.
  ///
  /// Call this method before you infer a mapping: an inferred mapping would lose the values that an
  /// unreadable mapping model converts.
  ///
  /// The method ignores an Xcode document whose models are missing, because the document may belong
  /// to another program.
  ///
  /// - Throws: `CocoaError` 134140 if a mapping model is damaged or cannot be read. The message
  ///   contains the reasons.
  package func requireReadable() throws {
    guard let first = failures.first else { return }
    throw CocoaError.make(
      CocoaError.Code(rawValue: NSMigrationMissingMappingModelError),
      "The bundles contain a mapping model that cannot be read. Correct the mapping model or remove it.\n"
        + failures.map(\.description).joined(separator: "\n"),
      userInfo: [NSUnderlyingErrorKey: first])
  }
}
