internal import Foundation
internal import OpenObjectModel

/// A search in bundles for the mapping model between two models.
struct MappingSearch {
  /// The first mapping model that matches the models; nil if there is none.
  private(set) var found: NSMappingModel?
  /// Whether the search found a mapping model that is damaged or cannot be read.
  ///
  /// A document whose models are missing does not count, because it may belong to another program.
  private(set) var hasUnreadable = false
  private var reasons: [String] = []

  /// Searches the mapping models in bundles until one matches.
  init(
    _ bundles: [Bundle], from source: NSManagedObjectModel, to destination: NSManagedObjectModel
  ) {
    for url in bundles.flatMap({ NSMappingModel.mappingFiles(in: $0) }) {
      do throws(MigrationError) {
        let model = try NSMappingModel.reading(url)
        guard let reason = model.mismatch(source, destination) else {
          found = model
          return
        }
        reasons.append("\(url.lastPathComponent): \(reason)")
      } catch {
        reasons.append("\(url.lastPathComponent): \(error.message)")
        if Self.isUnreadable(url, error) { hasUnreadable = true }
      }
    }
  }

  /// Returns whether an error means that a mapping model is damaged or cannot be read.
  static func isUnreadable(_ url: URL, _ error: MigrationError) -> Bool {
    guard url.pathExtension == "cdm" || error.code == .malformedMapping else { return false }
    // A bundle's list of files may include deleted files.
    return FileManager.default.fileExists(atPath: url.path)
  }

  /// The error that lists every examined mapping model and the reason why it does not match.
  var error: MigrationError {
    MigrationError(
      .noMapping,
      "No mapping model maps the source model to the destination model. Add one to the program's "
        + "resources, or infer the mapping.\n\(list)")
  }

  /// A line for each examined mapping model, with the reason why it does not match.
  var list: String {
    reasons.isEmpty ? "The bundles contain no mapping models." : reasons.joined(separator: "\n")
  }
}
