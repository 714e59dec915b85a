/// How generated source writes the types of Swift and Foundation.
///
/// A class of the model hides a type of the same name, which is then written with its module.
struct TypeNames {
  /// The names of all classes of the model.
  let hidden: Set<String>
  /// The module of managed objects.
  let module: String

  /// - Parameters:
  ///   - classNames: The names of all classes of the model.
  ///   - module: The module of managed objects.
  init(hiddenBy classNames: Set<String>, module: String) {
    hidden = classNames
    self.module = module
  }

  /// The modules that names are qualified with, which no class may hide.
  static let modules: Set<String> = ["CoreData", "Foundation", "OpenCoreData", "Swift"]

  /// A type's name, with its module where a class of the model has the same one.
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
