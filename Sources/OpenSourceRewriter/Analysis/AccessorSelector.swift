/// The relationship that an Objective-C selector of a to-many accessor speaks of.
enum AccessorSelector {
  /// What stands before and after the relationship's name; longer ones first.
  private static let forms: [(prefix: String, suffix: String)] = [
    ("replaceObjectIn", "AtIndex:withObject:"), ("removeObjectFrom", "AtIndex:"),
    ("insertObject:in", "AtIndex:"), ("remove", "AtIndexes:"), ("insert", ":atIndexes:"),
    ("add", "Object:"), ("remove", "Object:"), ("add", ":"), ("remove", ":"),
  ]

  /// The relationship's name in the model; nil when the selector is none of an accessor.
  static func relationshipName(in selector: String) -> String? {
    for form in forms where selector.hasPrefix(form.prefix) && selector.hasSuffix(form.suffix) {
      let name = selector.dropFirst(form.prefix.count).dropLast(form.suffix.count)
      guard String(name).isIdentifier else { continue }
      return key(String(name))
    }
    return nil
  }

  /// The relationship's name that a method's name gives: `threads` for `addToThreads`.
  static func relationshipName(inMethod name: String) -> String? {
    for prefix in ["addTo", "removeFrom", "insertInto", "replace"] where name.hasPrefix(prefix) {
      let rest = name.dropFirst(prefix.count)
      guard let first = rest.first, first.isUppercase else { return nil }
      return first.lowercased() + rest.dropFirst()
    }
    return nil
  }

  /// A capitalized name as the model has it; one that begins with several capitals stays.
  private static func key(_ name: String) -> String {
    let isAcronym = name.dropFirst().first?.isUppercase == true
    return isAcronym ? name : name.prefix(1).lowercased() + name.dropFirst()
  }
}
