import Foundation

/// What a target says about its models and sources, in a file of its folder; everything may be left out.
struct Configuration: Decodable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case sources, models, allEntities, expanded
  }

  /// The file's name.
  static let fileName = "opencoredata.json"

  /// Folders or files with sources for Apple's Core Data, relative to the target; they are excluded from it.
  var sources: [String]?
  /// Models, relative to the target's folder; by default all that are in it.
  var models: [String]?
  /// Whether entities whose setting "Codegen" is "Manual/None" get classes too.
  var allEntities: Bool?
  /// Whether classes have their accessors in full, and need no macros.
  var expanded: Bool?

  /// The folder that is taken when the file names no sources.
  static let defaultSources = "AppleSources"

  /// Reads the file; all defaults when there is none.
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

  /// Refuses keys that mean nothing, which would otherwise look as if they did.
  private static func checkKeys(_ data: Data) throws {
    let known = Set(CodingKeys.allCases.map(\.rawValue))
    let keys = (try JSONSerialization.jsonObject(with: data) as? [String: Any])?.keys.sorted() ?? []
    for key in keys where !known.contains(key) {
      throw ConfigurationError(description: "unknown setting \"\(key)\"")
    }
  }
}

/// The configuration names something that is not there, or cannot be read.
struct ConfigurationError: Error, CustomStringConvertible {
  let description: String
}
