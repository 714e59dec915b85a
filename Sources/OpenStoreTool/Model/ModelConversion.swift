import Foundation
import OpenModelCodegen
package import OpenObjectModel

/// Writes models in other forms.
package enum ModelConversion {
  /// The forms that a model can be written in.
  package enum Form: Sendable {
    /// `.mom` and `.momd`.
    case compiled
    /// `.xcdatamodel` and `.xcdatamodeld`.
    case document

    fileprivate var extensions: [String] {
      switch self {
      case .compiled: ["mom", "momd"]
      case .document: ["xcdatamodel", "xcdatamodeld"]
      }
    }
  }

  /// Writes a model to a place whose file extension says in which form.
  ///
  /// - Throws: `ToolError` for an extension of another form, something that is there already, or a model that
  ///   the form cannot hold.
  package static func write(
    _ model: NSManagedObjectModel, as form: Form, to path: String
  ) throws {
    let url = URL(fileURLWithPath: path)
    guard form.extensions.contains(url.pathExtension) else {
      let names = form.extensions.map { "." + $0 }.joined(separator: " or ")
      throw ToolError(.usage, "\(path): Give the output a name that ends in \(names).")
    }
    guard !FileManager.default.fileExists(atPath: path) else {
      throw ToolError(.usage, "\(path): There is something at this place; choose another.")
    }
    do {
      try model.write(to: url)
    } catch {
      throw ToolError(.unreadable, sentence(error, path))
    }
  }

  /// The Swift classes of a model; one that is no document is written as one first, to a place that is removed.
  ///
  /// - Parameters:
  ///   - path: A document, a compiled model, or a store.
  ///   - includesAll: Whether entities whose code generation is off get classes too.
  /// - Throws: `ToolError`.
  package static func source(ofModelAt path: String, includesAll: Bool) throws -> String {
    let scope: ModelCodegen.Scope = includesAll ? .all : .declared
    let url = URL(fileURLWithPath: path)
    do {
      if Form.document.extensions.contains(url.pathExtension) {
        return try ModelCodegen.source(ofModelAt: url, scope: scope)
      }
      let model = try OpenedStore.model(at: path)
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("coredata-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }  // the system clears the rest
      let name = url.deletingPathExtension().lastPathComponent
      let document = folder.appendingPathComponent(name + ".xcdatamodel")
      try model.write(to: document)
      return try ModelCodegen.source(ofModelAt: document, scope: scope)
    } catch let error as ModelError {
      throw ToolError(.unreadable, sentence(error, path))
    } catch let error as CodegenError {
      throw ToolError(.unreadable, "\(error)")
    }
  }

  private static func sentence(_ error: ModelError, _ path: String) -> String {
    let place = [error.entityName, error.propertyName].compactMap { $0 }.joined(separator: ".")
    return "\(path): \(place.isEmpty ? "" : place + ": ")\(error.message)"
  }
}
