import Foundation
import OpenModelCodegen
import OpenSourceRewriter

/// The sources and models that the sources of a module refer to, as the options of a command
/// specify them.
///
/// The commands `model` and `rewrite` read the same sources, so that a class of a model receives
/// the members that its extensions require.
struct ModuleContext {
  private typealias Model = (path: String, scope: ModelCodegen.Scope)

  private var sourcePaths: [String] = []
  private var models: [Model] = []
  /// The models of the module itself.
  private var ownModels: [Model] = []
  private(set) var modules: Set<String> = []

  /// Reads an option with its value.
  ///
  /// - Returns: Whether the option belongs to the context.
  mutating func read(_ option: String, _ value: String) -> Bool {
    switch option {
    case "--context": sourcePaths.append(value)
    case "--model": models.append((value, .declared))
    case "--whole-model": models.append((value, .all))
    case "--own-model": ownModels.append((value, .declared))
    case "--own-whole-model": ownModels.append((value, .all))
    case "--module": modules.insert(value)
    default: return false
    }
    return true
  }

  /// The sources that are only read, and the classes of models of other modules.
  func sources() throws -> [SourceText] {
    try sourcePaths.map { SourceText(path: $0, text: try SourceFile.text(of: $0)) }
      + classes(of: models)
  }

  /// The classes of the module's models, which sources may inherit from.
  func ownClasses() -> [SourceText] { classes(of: ownModels) }

  private func classes(of models: [Model]) -> [SourceText] {
    models.compactMap { model in
      // The command that writes the classes of a model reports the errors of the model.
      let text = try? ModelCodegen.source(
        ofModelAt: URL(fileURLWithPath: model.path), scope: model.scope)
      return text.map { SourceText(path: model.path, text: $0) }
    }
  }
}
