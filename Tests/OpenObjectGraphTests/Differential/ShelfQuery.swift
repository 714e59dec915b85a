import Foundation
import OpenCoreData

/// A random fetch for books.
struct ShelfQuery: CustomStringConvertible {
  var format: String
  var arguments: [Any]
  var sortKeys: [(key: String, ascending: Bool)]
  var limit: Int
  var offset: Int

  var description: String { "\(format) \(arguments) \(sortKeys) \(limit) \(offset)" }

  var predicate: NSPredicate { NSPredicate(format: format, argumentArray: arguments) }

  /// Whether the condition or the order uses authors.
  var mentionsAuthor: Bool {
    format.contains("author.") || sortKeys.contains { $0.key.hasPrefix("author.") }
  }

  init(_ numbers: inout SeededNumbers) {
    var arguments: [Any] = []
    format = Self.condition(&numbers, depth: 2, &arguments)
    self.arguments = arguments
    let keys = ["title", "pages", "price", "printed", "isNew", "author.name"]
    sortKeys = (0..<numbers.below(3)).map { _ in (numbers.pick(keys), numbers.below(2) == 0) }
    sortKeys.append(("code", numbers.below(2) == 0))
    limit = numbers.below(3) == 0 ? 1 + numbers.below(5) : 0
    offset = numbers.below(4) == 0 ? numbers.below(4) : 0
  }

  private static func condition(
    _ numbers: inout SeededNumbers, depth: Int, _ arguments: inout [Any]
  ) -> String {
    if depth > 0, numbers.below(3) == 0 {
      let parts = (0...numbers.below(2) + 1).map { _ in
        condition(&numbers, depth: depth - 1, &arguments)
      }
      return "(" + parts.joined(separator: numbers.below(2) == 0 ? " AND " : " OR ") + ")"
    }
    return term(&numbers, &arguments)
  }

  /// Terms that could contain a null are guarded, because stores and predicate evaluation treat
  /// nulls differently.
  private static func term(_ numbers: inout SeededNumbers, _ arguments: inout [Any]) -> String {
    let text = numbers.pick(ShelfEdit.texts) ?? "alpha"
    let options = numbers.pick(["", "[c]", "[d]", "[cd]"])
    let order = numbers.pick(["==", "!=", "<", "<=", ">", ">="])
    let number = numbers.below(20) - 5
    switch numbers.below(11) {
    case 0:
      arguments.append(number)
      return "pages \(order) %@"
    case 1:
      arguments.append(Double(number) / 4)
      return "price \(order) %@"
    case 2:
      arguments += [number - 3, number + 3]
      return "pages BETWEEN {%@, %@}"
    case 3:
      arguments.append([number, number + 1, 7])
      return "pages IN %@"
    case 4:
      arguments.append(text)
      let operation = numbers.pick(["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "=="])
      return "(title != nil AND title \(operation)\(options) %@)"
    case 5:
      arguments.append(text)
      return "(title != nil AND title \(order) %@)"
    case 6:
      return numbers.pick(["title == nil", "title != nil", "author == nil", "printed != nil"])
    case 7: return "isNew == \(numbers.pick(["YES", "NO"]))"
    case 8:
      arguments.append(text)
      return "(author.name != nil AND author.name \(order)\(order == "==" ? options : "") %@)"
    case 9:
      arguments.append(Date(timeIntervalSinceReferenceDate: Double(number) * 86_400.5))
      return "(printed != nil AND printed \(order) %@)"
    default:
      arguments.append([text, "alpha", "zeta"])
      return "(title != nil AND title IN %@)"
    }
  }

  /// Returns the codes of the books in a side's store and pending changes.
  func fetch(on side: ShelfSide) throws -> [Int32] {
    let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
    request.predicate = predicate
    request.sortDescriptors = sortKeys.map {
      NSSortDescriptor(key: $0.key, ascending: $0.ascending)
    }
    request.fetchLimit = limit
    request.fetchOffset = offset
    return try side.context.fetch(request).map(\.code)
  }

  /// Returns the codes of all books for which the predicate evaluates to true.
  func evaluate(on side: ShelfSide) throws -> Set<Int32> {
    let predicate = predicate
    return Set(try side.books().filter { predicate.evaluate(with: $0) }.map(\.code))
  }
}
