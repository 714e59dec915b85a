/// A flag of a fetch request in a model document.
struct FetchFlag {
  /// The names of the XML attribute; the first one is written.
  let names: [String]
  let path: any (WritableKeyPath<FetchTemplate, Bool> & Sendable)
  /// The value of the flag in a request that does not contain it.
  let usual: Bool

  /// All flags in the order of model documents.
  static let all = [
    FetchFlag(
      names: ["includeSubentities", "includesSubentities"], path: \.includesSubentities, usual: true
    ),
    FetchFlag(
      names: ["includePropertyValues", "includesPropertyValues"], path: \.includesPropertyValues,
      usual: true),
    FetchFlag(
      names: ["includesPendingChanges", "includePendingChanges"], path: \.includesPendingChanges,
      usual: true),
    FetchFlag(
      names: ["returnObjectsAsFaults", "returnsObjectsAsFaults"], path: \.returnsObjectsAsFaults,
      usual: true),
    FetchFlag(
      names: ["returnDistinctResults", "returnsDistinctResults"], path: \.returnsDistinctResults,
      usual: false),
  ]
}

/// The meaning of a flag that an element does not contain.
enum FetchFlagDefaults {
  /// In a fetch request template, an omitted flag is false.
  case template
  /// In the fetch request of a fetched property, an omitted flag has the default value of a new
  /// `NSFetchRequest`.
  case fetchedProperty

  func value(of flag: FetchFlag) -> Bool {
    switch self {
    case .template: false
    case .fetchedProperty: flag.usual
    }
  }
}
