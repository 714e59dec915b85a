import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// Finds the parts of a condition or a sort order that can never use an index, and suggests
/// replacements.
///
/// Advice is given only for parts that cost time: for conditions if the entity's table is scanned
/// completely, and for sort orders if rows are sorted.
struct TextAdvice {
  let shape: FetchShape
  /// Whether the file has a text index of the entity's table.
  let hasTextIndex: Bool

  /// Returns suggestions as sentences, without duplicates.
  func suggestions(beside query: QueryPlan, _ scanned: FullScans) -> [String] {
    var found: [String] = []
    if scanned.coverRoot, let filter = shape.filter { collect(filter, into: &found) }
    if query.temporaryTrees.contains(where: { $0.contains("ORDER BY") }) {
      for term in shape.sort where term.ordersByCollation(in: shape.entity) {
        let name = term.operand.ownProperty(of: shape.entity)?.name ?? ""
        found.append(
          "Sorting by \(name) with a case-insensitive or localized comparison cannot use an index. To use one, sort with "
            + "compare: by an indexed attribute that contains a normalized copy of \(name).")
      }
    }
    var known: Set<String> = []
    return found.filter { known.insert($0).inserted }
  }

  private func collect(_ filter: Filter, into found: inout [String]) {
    switch filter {
    case .and(let parts), .or(let parts): for part in parts { collect(part, into: &found) }
    case .not(let part), .isTrue(let part): collect(part, into: &found)
    case .containsWords(let path, _, _) where path.steps.isEmpty && !hasTextIndex:
      found.append(Self.search(in: "SELF"))
    case .isMember(let operand, _, let options):
      if let name = name(of: operand), options.folds {
        found.append(Self.folding("IN", options, name))
      }
    case .comparison(let left, let operation, let right, let options):
      if let sentence = sentence(left, operation, options) ?? function(left) ?? function(right) {
        found.append(sentence)
      }
    default: break
    }
  }

  private func name(of operand: Operand) -> String? {
    operand.ownProperty(of: shape.entity)?.name
  }

  private func sentence(
    _ operand: Operand, _ operation: ComparisonOperator, _ options: StringOptions
  ) -> String? {
    guard let name = name(of: operand) else { return nil }
    switch operation {
    case .contains, .endsWith, .like, .matches:
      return
        "\(operation.word)\(options.letters) on \(name) searches the text of every row that is "
        + "read. It cannot use an index."
    case .containsWords: return hasTextIndex ? nil : Self.search(in: name)
    case .beginsWith, .equal, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
      return options.folds ? Self.folding(operation.word, options, name) : nil
    default: return nil
    }
  }

  private static func search(in name: String) -> String {
    "CONTAINSWORDS on \(name) splits the text of every row that is read into words. To use a text index instead, set "
      + "isIndexedBySpotlight for the attributes to search, and open the store with OpenTextIndexOption."
  }

  private static func folding(
    _ word: String, _ options: StringOptions, _ name: String
  ) -> String {
    "\(word)\(options.letters) on \(name) cannot use an index. To use one, store a normalized copy of \(name) in an indexed "
      + "attribute, normalize the search text in the same way, and compare the two with \(word)[n]."
  }

  private func function(_ operand: Operand) -> String? {
    guard case .function(let name, let operands) = operand, name != "noindex:",
      let property = operands.lazy.compactMap({ self.name(of: $0) }).first
    else { return nil }
    return "A function of \(property) is evaluated for every row and cannot use an index. To use "
      + "one, store the result of the function in an indexed attribute."
  }
}

extension ComparisonOperator {
  /// The operator as written in predicates.
  fileprivate var word: String {
    switch self {
    case .contains: "CONTAINS"
    case .endsWith: "ENDSWITH"
    case .beginsWith: "BEGINSWITH"
    case .like: "LIKE"
    case .matches: "MATCHES"
    case .lessThan: "<"
    case .lessThanOrEqual: "<="
    case .greaterThan: ">"
    case .greaterThanOrEqual: ">="
    default: "=="
    }
  }
}

extension StringOptions {
  /// The option letters in brackets; empty if there are no options.
  fileprivate var letters: String {
    let letters =
      (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "")
      + (contains(.normalized) ? "n" : "")
    return letters.isEmpty ? "" : "[\(letters)]"
  }
}
