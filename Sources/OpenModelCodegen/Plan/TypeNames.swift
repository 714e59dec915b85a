/// The names of types of Swift and Foundation in generated source.
///
/// A class of the model hides a type with the same name. The type is then written with its module.
struct TypeNames {
  /// The names of all classes of the model.
  let hidden: Set<String>
  /// The module of managed objects.
  let module: String

  /// Creates the value.
  ///
  /// - Parameters:
  ///   - classNames: The names of all classes of the model.
  ///   - module: The module of managed objects.
  init(hiddenBy classNames: Set<String>, module: String) {
    hidden = classNames
    self.module = module
  }

  /// The module names that qualify type names, which must not be names of classes.
  static let modules: Set<String> = ["CoreData", "Foundation", "OpenCoreData", "Swift"]

  /// Returns the name of a type, with its module if a class of the model has the same name.
  func text(_ name: String) -> String {
    guard hidden.contains(name) else { return name }
    return "\(module(of: name)).\(name)"
  }

  private func module(of name: String) -> String {
    if Self.swiftTypes.contains(name) { return "Swift" }
    return ["NSFetchRequest", "NSManagedObjectID"].contains(name) ? module : "Foundation"
  }

  private static let swiftTypes: Set<String> = [
    "Bool", "Double", "Float", "Identifiable", "Int", "Int16", "Int32", "Int64", "String",
  ]
}
