/// The naming rules of to-many accessors, which determine the relationship from the accessor's
/// Swift name or Objective-C selector.
enum AccessorSelector {
  /// The text before and after the relationship's name in a selector, the longest form first.
  private static let forms: [(prefix: String, suffix: String)] = [
    ("replaceObjectIn", "AtIndex:withObject:"), ("removeObjectFrom", "AtIndex:"),
    ("insertObject:in", "AtIndex:"), ("remove", "AtIndexes:"), ("insert", ":atIndexes:"),
    ("add", "Object:"), ("remove", "Object:"), ("add", ":"), ("remove", ":"),
  ]

  /// Returns the capitalized names that a selector may contain, the most probable name first: both
  /// `Lost` and `LostObject` for `addLostObject:`. The list is empty if the selector is not that of
  /// an accessor.
  static func capitalizedNames(in selector: String) -> [String] {
    forms.filter { selector.hasPrefix($0.prefix) && selector.hasSuffix($0.suffix) }
      .map { String(selector.dropFirst($0.prefix.count).dropLast($0.suffix.count)) }
      .filter(\.isIdentifier)
  }

  /// Returns the capitalized name in a method's name: `Threads` for `addToThreads`.
  static func capitalizedName(inMethod name: String) -> String? {
    for prefix in ["addTo", "removeFrom", "insertInto", "replace"] where name.hasPrefix(prefix) {
      let rest = name.dropFirst(prefix.count)
      return rest.first?.isUppercase == true ? String(rest) : nil
    }
    return nil
  }

  /// Returns a name with its first letter in lowercase.
  static func lowercasedFirst(_ name: String) -> String {
    name.prefix(1).lowercased() + name.dropFirst()
  }

  /// Returns the name that the model probably uses for a capitalized name: `URLs`, which begins
  /// with an acronym, or `eBooks` for `EBooks`.
  ///
  /// If the guess is wrong, the accessor finds the property with the other form of the name when
  /// the accessor is called.
  static func probableName(_ name: String) -> String {
    let isAcronym = name.prefix(3).count { $0.isUppercase } == 3
    return isAcronym ? name : lowercasedFirst(name)
  }
}
