import Foundation

/// What a target says about its models and sources, in a file of its folder; everything may be left out.
struct Configuration: Decodable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case sources, models, allEntities, expanded
  }

  /// The name of the configuration file.
  static let fileName = "opencoredata.json"

  /// Folders or files with sources for Apple's Core Data, relative to the target; they are excluded from it.
  var sources: [String]?
  /// Models, relative to the target's folder; by default, all models in the folder.
  var models: [String]?
  /// Whether entities whose setting "Codegen" is "Manual/None" get classes too.
  var allEntities: Bool?
  /// Whether classes contain written-out accessors, and need no macros.
  var expanded: Bool?

  /// The default folder if the file names no sources.
  static let defaultSources = "AppleSources"

  /// Reads the file; if there is no file, uses the defaults.
  static func read(in folder: URL) throws -> Configuration {
    let file = folder.appendingPathComponent(fileName)
    guard FileManager.default.fileExists(atPath: file.path) else { return Configuration() }
    do {
      let data = try Data(contentsOf: file)
      try checkKeys(data)
      return try JSONDecoder().decode(Configuration.self, from: data)
    } catch {
      throw ConfigurationError(description: "\(file.path): error: \(error)")
    }
  }

  /// Rejects unknown keys, which would otherwise have no effect without notice.
  private static func checkKeys(_ data: Data) throws {
    let known = Set(CodingKeys.allCases.map(\.rawValue))
    let keys = (try JSONSerialization.jsonObject(with: data) as? [String: Any])?.keys.sorted() ?? []
    for key in keys where !known.contains(key) {
      throw ConfigurationError(description: "unknown setting \"\(key)\"")
    }
  }
}

/// An error in the configuration: it is unreadable, or it names a missing file.
struct ConfigurationError: Error, CustomStringConvertible {
  let description: String
}
