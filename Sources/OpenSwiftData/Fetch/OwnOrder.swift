internal import Foundation
internal import OpenObjectGraph
internal import OpenPredicates

/// The way in which a fetch sorts by the values of a key path.
enum SortColumn: Sendable {
  /// The store sorts by the column with the given name.
  case named(String)
  /// The context sorts in memory, with the `<` operator of the values' type; see ``OwnOrder``.
  case ownOrder
}

/// The order of a type that declares its own `<`, and whose values are stored as raw values or in
/// an encoded form.
///
/// The order of the stored values may be different.
enum OwnOrder {
  /// Returns whether the order of a key path's values may differ from the order of their raw
  /// values.
  ///
  /// If the type lists its cases, the order of the cases is compared with the order of their raw
  /// values.
  static func isNeeded(for keyPath: AnyKeyPath) -> Bool {
    let type = valueType(of: keyPath)
    guard type is any (RawRepresentable & Comparable).Type else { return false }
    guard let listed = type as? any (CaseIterable & RawRepresentable & Comparable).Type else {
      return true
    }
    return !agreesWithRawValues(listed)
  }

  private static func valueType(of keyPath: AnyKeyPath) -> any Any.Type {
    StoredFormBuilder.unwrapped(type(of: keyPath).valueType).type
  }

  private static func agreesWithRawValues<Content: CaseIterable & RawRepresentable & Comparable>(
    _ type: Content.Type
  ) -> Bool {
    let cases = Content.allCases.map { (content: $0, raw: Value(any: $0.rawValue) ?? .null) }
      .sorted { Value.order($0.raw, $1.raw) == .orderedAscending }
    return zip(cases, cases.dropFirst()).allSatisfy { $0.content < $1.content }
  }

  /// Returns a comparator for the objects of a model that compares the values of a key path.
  ///
  /// In ascending order, `nil` comes first, as in a store.
  ///
  /// - Parameters:
  ///   - keyPath: A key path that starts at the model.
  ///   - type: The type of the model.
  ///   - comparison: The rule for values that are strings.
  /// - Returns: The comparator; `nil` if the type of the values is not `Comparable`.
  static func comparator<Model: PersistentModel>(
    of keyPath: AnyKeyPath, in type: Model.Type, _ comparison: SortComparison
  ) -> Comparator? {
    guard let content = valueType(of: keyPath) as? any Comparable.Type else { return nil }
    return comparator(of: keyPath, in: type, content, comparison)
  }

  private static func comparator<Model: PersistentModel, Content: Comparable>(
    of keyPath: AnyKeyPath, in type: Model.Type, _ content: Content.Type,
    _ comparison: SortComparison
  ) -> Comparator? {
    let read: (Model) -> Content?
    if let path = keyPath as? KeyPath<Model, Content> {
      read = { $0[keyPath: path] }
    } else if let path = keyPath as? KeyPath<Model, Content?> {
      read = { $0[keyPath: path] }
    } else {
      return nil
    }
    func value(of object: Any) -> Content? {
      (object as? __ModelObject).flatMap { read($0.model(as: Model.self)) }
    }
    return { order(value(of: $0), value(of: $1), comparison) }
  }

  private static func order<Content: Comparable>(
    _ one: Content?, _ other: Content?, _ comparison: SortComparison
  ) -> ComparisonResult {
    guard let one else { return other == nil ? .orderedSame : .orderedAscending }
    guard let other else { return .orderedDescending }
    if let text = one as? String, let otherText = other as? String {
      return StringMatch.compare(text, otherText, comparison.options)
    }
    return one < other ? .orderedAscending : other < one ? .orderedDescending : .orderedSame
  }
}
