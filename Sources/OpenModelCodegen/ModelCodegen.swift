public import Foundation
internal import OpenObjectModel

/// Generates the Swift classes of a model, as Xcode does on Apple platforms.
///
/// Used by the command `opencoredata-codegen`, which the build plug-in `ModelCodegen` runs. It reads the current
/// version of a model document and returns text; it never writes files.
///
/// > Concurrency: A value; any thread.
/// > Reference: Apple, Generating code. Differs: the attributes are those of this library.
public struct ModelCodegen: Sendable {
  /// The entities for which source is generated.
  public enum Scope: Sendable {
    /// Those whose setting "Codegen" is not "Manual/None".
    case declared
    /// All that have their own class; those set to "Manual/None" get class and properties.
    case all
  }

  /// How properties and methods of the classes get their bodies.
  public enum Form: Sendable {
    /// By the macros of the module `CoreData`.
    case macros
    /// Written in full, for the module `OpenCoreData`, which needs no macros.
    case expanded

    /// The module that the source imports.
    var module: String {
      switch self {
      case .macros: "CoreData"
      case .expanded: "OpenCoreData"
      }
    }
  }

  /// The Swift source of a model's classes.
  ///
  /// Entities, properties and accessors are sorted by name, so that equal models give equal text.
  ///
  /// - Parameters:
  ///   - url: An `.xcdatamodeld` folder, whose current version is used, or an `.xcdatamodel` folder.
  ///   - scope: The entities for which source is generated.
  ///   - form: How properties and methods get their bodies.
  /// - Returns: The complete file; without imports if no source is generated.
  /// - Throws: `CodegenError` naming file, line, entity and property.
  public static func source(
    ofModelAt url: URL, scope: Scope = .declared, form: Form = .macros
  ) throws(CodegenError) -> String {
    let version = try ModelVersion.current(of: url)
    do throws(ModelError) {
      _ = try NSManagedObjectModel.reading(version.folder)
    } catch {
      throw CodegenError(error)
    }
    let entities = try EntityReader.entities(in: version.contents)
    let plan = try ClassPlan(
      entities: entities, scope: scope, path: version.contents.path, module: form.module)
    return FileRenderer.text(
      of: plan, modelName: url.deletingPathExtension().lastPathComponent, form)
  }
}
