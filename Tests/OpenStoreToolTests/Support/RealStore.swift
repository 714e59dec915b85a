import Foundation
import Testing

/// A store in the collection of Apple's files, and the known facts about it.
struct RealStore: Sendable, CustomTestStringConvertible {
  var path: String
  var identifier: String
  var rows: [String: Int]

  private static let folder = URL(
    fileURLWithPath: ProcessInfo.processInfo.environment["OPENCOREDATA_SHARED"] ?? "../shared"
  ).appendingPathComponent("data/stores")

  var url: URL { Self.folder.appendingPathComponent(path) }
  var testDescription: String { path }
  /// Whether the file has a copy of its model.
  var keepsModel: Bool { !path.contains("kik") }

  /// Empty if the collection is not available.
  static let all: [RealStore] = {
    guard let data = try? Data(contentsOf: folder.appendingPathComponent("facts.json")),
      let facts = try? JSONSerialization.jsonObject(with: data) as? [String: [String: Any]]
    else { return [] }
    return facts.sorted { $0.key < $1.key }.map { path, fact in
      RealStore(
        path: path, identifier: fact["storeUUID"] as? String ?? "",
        rows: fact["rowsByExactEntity"] as? [String: Int] ?? [:])
    }
  }()
}
