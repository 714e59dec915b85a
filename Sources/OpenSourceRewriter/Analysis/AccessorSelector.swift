/// The relationship that a to-many accessor changes, by its name in Swift or by its Objective-C selector.
enum AccessorSelector {
  /// What stands before and after the relationship's name; longer ones first.
  private static let forms: [(prefix: String, suffix: String)] = [
    ("replaceObjectIn", "AtIndex:withObject:"), ("removeObjectFrom", "AtIndex:"),
    ("insertObject:in", "AtIndex:"), ("remove", "AtIndexes:"), ("insert", ":atIndexes:"),
    ("add", "Object:"), ("remove", "Object:"), ("add", ":"), ("remove", ":"),
  ]

  /// The capitalized name in a selector; nil when the selector is not an accessor's.
  static func capitalizedName(in selector: String) -> String? {
    for form in forms where selector.hasPrefix(form.prefix) && selector.hasSuffix(form.suffix) {
      let name = selector.dropFirst(form.prefix.count).dropLast(form.suffix.count)
      if String(name).isIdentifier { return String(name) }
    }
    return nil
  }

  /// The capitalized name in a method's name: `Threads` for `addToThreads`.
  static func capitalizedName(inMethod name: String) -> String? {
    for prefix in ["addTo", "removeFrom", "insertInto", "replace"] where name.hasPrefix(prefix) {
      let rest = name.dropFirst(prefix.count)
      return rest.first?.isUppercase == true ? String(rest) : nil
    }
    return nil
  }

  /// A capitalized name with its first letter in lower case.
  static func lowercasedFirst(_ name: String) -> String {
    name.prefix(1).lowercased() + name.dropFirst()
  }

  /// A capitalized name as the model probably has it: `URLs` begins with an acronym, `EBooks` means `eBooks`.
  ///
  /// Where the guess is wrong, the accessor finds the other form when it is called.
  static func probableName(_ name: String) -> String {
    let isAcronym = name.prefix(3).count { $0.isUppercase } == 3
    return isAcronym ? name : lowercasedFirst(name)
  }
}
