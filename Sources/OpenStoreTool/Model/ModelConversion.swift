import Foundation
import OpenModelCodegen
import OpenObjectModel

/// Other forms of models.
package enum ModelConversion {
  /// Writes a model in the form that the new name's ending asks for; a folder of versions gets all of them.
  ///
  /// - Throws: `ToolError` when the model cannot be read or written, or the ending is none of those given.
  package static func write(_ path: String, to result: String, endings: [String]) throws {
    let url = URL(fileURLWithPath: result)
    guard endings.contains(url.pathExtension) else {
      let names = endings.map { "." + $0 }.joined(separator: " or ")
      throw ToolError(.usage, "\(result): The name has to end in \(names).")
    }
    let source = URL(fileURLWithPath: path)
    let isFolder = ["momd", "xcdatamodeld"].contains(source.pathExtension)
    do throws(ModelError) {
      if isFolder, ["momd", "xcdatamodeld"].contains(url.pathExtension) {
        try ModelVersions.write(source, to: url)
        return
      }
    } catch {
      throw ToolError(.unreadable, "\(error.path ?? path): \(error.message)")
    }
    let model = try OpenedStore.model(at: path)
    do throws(ModelError) {
      try model.write(to: url)
    } catch {
      throw ToolError(.unreadable, "\(error.path ?? result): \(error.message)")
    }
  }

  /// The Swift classes of a model document.
  package static func source(of path: String) throws -> String {
    try InputKind.require(path, toBe: "a model document")
    do throws(CodegenError) {
      return try ModelCodegen.source(ofModelAt: URL(fileURLWithPath: path), scope: .all)
    } catch {
      throw ToolError(.unreadable, "\(path): \(error)")
    }
  }
}
