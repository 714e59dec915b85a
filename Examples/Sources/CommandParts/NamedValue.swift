public import Foundation

/// Finds a value by the name or the id that a user enters.
public enum NamedValue {
  /// Returns the value that a text identifies.
  ///
  /// - Parameters:
  ///   - text: A name or an id. Ids take precedence over names.
  ///   - values: The values to search.
  ///   - kind: The word for a value, such as `playlist`.
  ///   - listing: The command that lists the values.
  ///   - id: A closure that returns the id of a value.
  ///   - isNamed: A closure that returns whether the text is the name of a value.
  /// - Throws: `CommandFailure` if there is no such value, or if several values have the name.
  public static func find<Value>(
    _ text: String, among values: [Value], kind: String, listing: String,
    id: (Value) -> UUID, isNamed: (Value) -> Bool
  ) throws -> Value {
    if let wanted = UUID(uuidString: text), let found = values.first(where: { id($0) == wanted }) {
      return found
    }
    let named = values.filter(isNamed)
    guard let found = named.first else {
      throw CommandFailure(
        "No \(kind) has the name or id “\(text)”. For a list, run '\(listing)'.")
    }
    guard named.count == 1 else {
      let ids = named.map { id($0).uuidString }.joined(separator: ", ")
      throw CommandFailure(
        "There are \(named.count) \(kind)s named “\(text)”. Use one of these ids instead: \(ids).")
    }
    return found
  }
}
