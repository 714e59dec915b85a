import Foundation
import OpenModelCodegen

/// A model document in a separate folder, which is deleted when the test ends.
final class ModelOnDisk {
  let url: URL
  private let folder: URL

  /// Writes versions of a model, each given as the elements inside `<model>`.
  init(_ versions: [String: String], current: String? = nil) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("codegen-\(UUID().uuidString)")
    url = folder.appendingPathComponent("Library.xcdatamodeld")
    for (name, elements) in versions {
      let version = url.appendingPathComponent("\(name).xcdatamodel")
      try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
      let document = "<?xml version=\"1.0\"?>\n<model>\n\(elements)\n</model>\n"
      try Data(document.utf8).write(to: version.appendingPathComponent("contents"))
    }
    if let current {
      let list = ["_XCCurrentVersionName": "\(current).xcdatamodel"]
      let data = try PropertyListSerialization.data(
        fromPropertyList: list, format: .xml, options: 0)
      try data.write(to: url.appendingPathComponent(".xccurrentversion"))
    }
  }

  /// Writes a model of one version.
  convenience init(_ elements: String) throws { try self.init(["Library": elements]) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The source of the model's classes.
  func source(_ scope: ModelCodegen.Scope = .declared) throws(CodegenError) -> String {
    try ModelCodegen.source(ofModelAt: url, scope: scope)
  }

  /// The error of generating source; nil on success.
  var failure: CodegenError? {
    do throws(CodegenError) {
      _ = try source()
      return nil
    } catch {
      return error
    }
  }
}

/// The elements of an entity.
func entity(_ name: String, _ attributes: String = "", _ content: String = "") -> String {
  let codegen = attributes.contains("codeGenerationType") ? "" : "codeGenerationType=\"class\""
  let named = attributes.contains("representedClassName") ? "" : "representedClassName=\"\(name)\""
  return "<entity name=\"\(name)\" \(named) \(codegen) \(attributes)>\(content)</entity>\n"
}

/// The element of a relationship without inverse.
func relationship(_ name: String, to destination: String, _ attributes: String = "") -> String {
  "<relationship name=\"\(name)\" optional=\"YES\" destinationEntity=\"\(destination)\" "
    + "deletionRule=\"Nullify\" \(attributes.isEmpty ? "maxCount=\"1\"" : attributes)/>"
}
