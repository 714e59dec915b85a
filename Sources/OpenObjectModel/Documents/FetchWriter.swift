internal import Foundation
internal import OpenPredicates

/// Writes the fetch requests of a model document.
enum FetchWriter {
  static func write(
    _ template: FetchTemplate, named name: String, _ defaults: FetchFlagDefaults,
    to document: inout DocumentText
  ) throws(ModelError) {
    guard template.sortKeys.isEmpty else {
      throw ModelError(
        .unarchivable,
        "Model documents cannot contain the sort descriptors of the fetch request \(name).",
        entityName: template.entityName)
    }
    let predicate = try template.predicate.map { (predicate) throws(ModelError) in
      try text(of: predicate, entityName: template.entityName)
    }
    let flags = FetchFlag.all.map { flag -> (name: String, value: String?) in
      let value = template[keyPath: flag.path]
      return (flag.names[0], value == defaults.value(of: flag) ? nil : value ? "YES" : "NO")
    }
    document.element(
      "fetchRequest",
      [
        ("name", name), ("entity", template.entityName), ("predicateString", predicate),
        ("fetchLimit", number(template.fetchLimit)), ("fetchOffset", number(template.fetchOffset)),
        ("fetchBatchSize", number(template.fetchBatchSize)),
        ("resultType", template.resultType == 0 ? nil : String(template.resultType)),
      ] + flags)
  }

  private static func number(_ number: Int) -> String? { number == 0 ? nil : String(number) }

  /// Returns the format string of a predicate, which parses back to an equal predicate.
  static func text(
    of predicate: NSPredicate, entityName: String?
  ) throws(ModelError) -> String {
    guard let node = predicate.form.resolvedNode() else {
      throw ModelError(
        .unarchivable, "Model documents cannot contain a predicate without a format.",
        entityName: entityName)
    }
    let text = predicate.canonicalFormat
    // Objects and bytes have no text that can be parsed.
    guard (try? NSPredicate.parsing(text))?.form.resolvedNode() == node else {
      throw ModelError(
        .unarchivable, "Model documents cannot contain the values in the predicate \(text).",
        entityName: entityName)
    }
    return text
  }
}
