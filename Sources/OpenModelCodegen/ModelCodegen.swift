public import Foundation
internal import OpenObjectModel

/// A type that generates the Swift classes of a model, as Xcode does on Apple platforms.
///
/// The command `opencoredata-codegen`, which the build plug-in `ModelCodegen` runs, uses this type.
/// The type reads the current version of a model document and returns text. The type never writes
/// files.
///
/// > Concurrency: A value type; usable on any thread.
/// > Reference: Apple, Generating code. Differs: the generated source uses macros of this library
/// > instead of `@NSManaged`.
public struct ModelCodegen: Sendable {
  /// The selection of entities for which source is generated.
  public enum Scope: Sendable {
    /// The entities whose setting "Codegen" is not "Manual/None".
    case declared
    /// All entities whose class is not `NSManagedObject`. For entities with the setting
    /// "Manual/None", the source contains the class and its properties.
    case all
  }

  /// Whether the generated properties and methods use macros or contain complete bodies.
  public enum Form: Sendable {
    /// The source uses macros of the module `CoreData`, which generate the bodies.
    case macros
    /// The source contains the complete bodies, imports the module `OpenCoreData`, and does not use
    /// macros.
    case expanded

    /// The module that the source imports.
    var module: String {
      switch self {
      case .macros: "CoreData"
      case .expanded: "OpenCoreData"
      }
    }
  }

  /// Returns the Swift source of the classes in a model document.
  ///
  /// Entities, properties and accessors are sorted by name, so equal models result in equal text.
  ///
  /// - Parameters:
  ///   - url: An `.xcdatamodeld` folder, whose current version is used, or an `.xcdatamodel`
  ///     folder.
  ///   - scope: The selection of entities for which source is generated.
  ///   - form: Whether the generated properties and methods use macros or contain complete bodies.
  /// - Returns: The complete contents of a Swift file. If no source is needed for the entities in
  ///   the scope, the file contains only comments.
  /// - Throws: `CodegenError`, which contains the path and, if known, the line, the entity and the
  ///   property. The error has one of the following codes:
  ///   - `.unreadableModel`: The document cannot be read, or the model is invalid.
  ///   - `.unusableName`: A name in the model is not a valid Swift name.
  ///   - `.sharedClass`: Two entities use the same class name.
  ///   - `.clashingNames`: Two declarations in one class would have the same name.
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
