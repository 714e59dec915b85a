public import Foundation

/// Finds what a user names by its name or its id.
public enum NamedValue {
  /// The value that a text names.
  ///
  /// - Parameters:
  ///   - text: A name, or the text of an id, which goes before names.
  ///   - values: All there are.
  ///   - kind: What a value is called, such as `playlist`.
  ///   - listing: The command that lists them.
  ///   - id: The id of a value.
  ///   - isNamed: Whether the text is the name of a value.
  /// - Throws: `CommandFailure` for none, or for several of the same name.
  public static func find<Value>(
    _ text: String, among values: [Value], kind: String, listing: String,
    id: (Value) -> UUID, isNamed: (Value) -> Bool
  ) throws -> Value {
    if let wanted = UUID(uuidString: text), let found = values.first(where: { id($0) == wanted }) {
      return found
    }
    let named = values.filter(isNamed)
    guard let found = named.first else {
      throw CommandFailure("There is no \(kind) “\(text)”. '\(listing)' shows them.")
    }
    guard named.count == 1 else {
      let ids = named.map { id($0).uuidString }.joined(separator: ", ")
      throw CommandFailure("There are \(named.count) \(kind)s “\(text)”. Use an id: \(ids).")
    }
    return found
  }
}
