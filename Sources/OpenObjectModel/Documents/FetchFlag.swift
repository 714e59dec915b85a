/// One of the flags of a fetch request in a model document.
struct FetchFlag {
  /// The XML attribute's names; the first is the one to write.
  let names: [String]
  let path: any (WritableKeyPath<FetchTemplate, Bool> & Sendable)
  /// What a request says that does not mention the flag.
  let usual: Bool

  /// All flags, in the order in which documents list them.
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

/// What a flag means that an element leaves out.
enum FetchFlagDefaults {
  /// Requests kept by name write down each flag that is set.
  case template
  /// Requests of fetched properties have the flags of new requests.
  case fetchedProperty

  func value(of flag: FetchFlag) -> Bool {
    switch self {
    case .template: false
    case .fetchedProperty: flag.usual
    }
  }
}
