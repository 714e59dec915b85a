/// The content of fetched results at one moment, as object ids.
///
/// Replaces Apple's `NSDiffableDataSourceSnapshotReference`, and may be sent to any task. An addition to Apple's API.
public struct FetchedResultsSnapshot: Sendable, Hashable {
  /// A section and its objects.
  public struct Section: Sendable, Hashable {
    /// The section's name; empty when there are no sections.
    public let identifier: String
    /// The ids of its objects in order.
    public let itemIdentifiers: [NSManagedObjectID]
  }

  /// The sections in order; one without name when the results have no sections.
  public let sections: [Section]
  /// Changed objects that were already in the results, in the order of their positions.
  public private(set) var reloadedItemIdentifiers: [NSManagedObjectID]

  init(sections: [Section], reloaded: [NSManagedObjectID] = []) {
    self.sections = sections
    reloadedItemIdentifiers = reloaded
  }

  /// The names of the sections in order.
  public var sectionIdentifiers: [String] { sections.map(\.identifier) }
  /// The ids of all objects in order.
  public var itemIdentifiers: [NSManagedObjectID] { sections.flatMap(\.itemIdentifiers) }
  /// The number of sections.
  public var numberOfSections: Int { sections.count }
  /// The number of objects.
  public var numberOfItems: Int { sections.reduce(0) { $0 + $1.itemIdentifiers.count } }

  /// The ids of a section's objects; empty for an unknown section.
  ///
  /// - Parameter identifier: The section's name.
  /// - Returns: The ids of a section's objects.
  public func itemIdentifiers(inSection identifier: String) -> [NSManagedObjectID] {
    sections.first { $0.identifier == identifier }?.itemIdentifiers ?? []
  }

  /// The same content with the changes of an earlier snapshot that was not received.
  func following(_ earlier: FetchedResultsSnapshot) -> FetchedResultsSnapshot {
    guard !earlier.reloadedItemIdentifiers.isEmpty else { return self }
    let changed = Set(earlier.reloadedItemIdentifiers).union(reloadedItemIdentifiers)
    var snapshot = self
    snapshot.reloadedItemIdentifiers = itemIdentifiers.filter(changed.contains)
    return snapshot
  }
}
