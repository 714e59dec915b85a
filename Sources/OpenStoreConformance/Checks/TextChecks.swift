import OpenPredicates
import OpenStoreContract

/// Checks of text operations in several scripts.
extension StoreConformance {
  static let textChecks: [Check] =
    textCases.map { item in
      Check("string: \(item.text) \(item.operation) \(item.pattern) with options \(item.options)") {
        trial in
        try trial.insert(
          "Person",
          [NewObject(["name": .string(item.text)]), NewObject(["note": .string("no name")])])
        let filter = try trial.compare("Person.name", item.operation, item.options)
        let pattern = Value.string(item.pattern)
        let expected = item.isMatch ? [item.text] : []
        try trial.expectNames(Query("Person", filter, [pattern]), expected, "Matching rows")
        try trial.expectNames(
          Query("Person", .not(filter), [pattern]), item.isMatch ? [] : [item.text],
          "Rows of the negation, without rows that have a null")
      }
    } + [
      Check("a string operation with a null pattern matches nothing") { trial in
        _ = try Town(in: trial)
        for operation in [ComparisonOperator.contains, .beginsWith, .endsWith, .like, .matches] {
          let filter = try trial.compare("Person.name", operation, .caseInsensitive)
          try trial.expectNames(Query("Person", filter, [.null]), [], "name \(operation) null")
        }
      },
      Check("a constant string can contain a property") { trial in
        _ = try Town(in: trial)
        let filter = Filter.comparison(
          .binding(0), .contains, try trial.operand("Person.name"), .caseInsensitive)
        try trial.expectNames(
          Query("Person", filter, [.string("adamant bobsleigh")]), ["Ada", "Bob"], "in a string")
      },
    ]

  /// A text, a pattern, and whether the text matches the pattern.
  struct TextCase: Sendable {
    let text: String
    let operation: ComparisonOperator
    let pattern: String
    let options: StringOptions
    let isMatch: Bool

    init(
      _ text: String, _ operation: ComparisonOperator, _ pattern: String,
      _ options: StringOptions, _ isMatch: Bool
    ) {
      self.text = text
      self.operation = operation
      self.pattern = pattern
      self.options = options
      self.isMatch = isMatch
    }
  }

  private static let insensitive: StringOptions = [.caseInsensitive, .diacriticInsensitive]

  static let textCases: [TextCase] = plainCases + foldingCases + patternCases

  private static let plainCases: [TextCase] = [
    TextCase("Resume", .contains, "sum", [], true),
    TextCase("Resume", .contains, "SUM", [], false),
    TextCase("Resume", .contains, "", [], false),
    TextCase("Resume", .beginsWith, "Res", [], true),
    TextCase("Resume", .beginsWith, "res", [], false),
    TextCase("Resume", .endsWith, "ume", [], true),
    TextCase("Resume", .endsWith, "Ume", [], false),
    TextCase("100%_sure", .contains, "%_", [], true),
    TextCase("100 sure", .contains, "%", [], false),
    TextCase("a'b\"c", .endsWith, "'b\"c", [], true),
    TextCase("[a]*", .beginsWith, "[a]*", [], true),
    TextCase("Привет", .contains, "рив", [], true),
    TextCase("日本語", .beginsWith, "日本", [], true),
    TextCase("日本語", .endsWith, "日", [], false),
  ]

  private static let foldingCases: [TextCase] = [
    TextCase("Resume", .contains, "SUM", .caseInsensitive, true),
    TextCase("Résumé", .contains, "SUM", .caseInsensitive, true),
    TextCase("Résumé", .equal, "RÉSUMÉ", .caseInsensitive, true),
    TextCase("Résumé", .equal, "Resume", .caseInsensitive, false),
    TextCase("Résumé", .equal, "Resume", .diacriticInsensitive, true),
    TextCase("Résumé", .equal, "resume", .diacriticInsensitive, false),
    TextCase("Résumé", .equal, "rESUME", insensitive, true),
    TextCase("Re\u{301}sume\u{301}", .equal, "resume", insensitive, true),
    TextCase("Résumé", .notEqual, "resume", insensitive, false),
    TextCase("ПРИВЕТ", .equal, "привет", .caseInsensitive, true),
    TextCase("Ёлка", .beginsWith, "елк", insensitive, true),
    TextCase("Ελλάδα", .contains, "ΛΛΑΔ", insensitive, true),
    TextCase("Ελλάδα", .contains, "λλαδ", .caseInsensitive, false),
    TextCase("Škoda", .beginsWith, "sko", insensitive, true),
    TextCase("Việt Nam", .endsWith, "viet nam", insensitive, true),
    TextCase("日本語", .contains, "本", insensitive, true),
  ]

  private static let patternCases: [TextCase] = [
    TextCase("Resume", .like, "R*e", [], true),
    TextCase("Resume", .like, "R?sume", [], true),
    TextCase("Resume", .like, "r*", [], false),
    TextCase("Resume", .like, "r*", .caseInsensitive, true),
    TextCase("Resume", .like, "Res", [], false),
    TextCase("Résumé", .like, "*SUM?", insensitive, true),
    TextCase("Resume", .like, "R.*", [], false),
    TextCase("Привет", .like, "?рив*", [], true),
    TextCase("Resume", .matches, "R.+e", [], true),
    TextCase("Resume", .matches, "R", [], false),
    TextCase("Resume", .matches, "r[a-z]{5}", .caseInsensitive, true),
    TextCase("2024-01-31", .matches, "\\d{4}-\\d\\d-\\d\\d", [], true),
  ]
}
