internal import OpenPredicates

/// The content of fetched results at one moment, as object ids.
///
/// The type replaces Apple's `NSDiffableDataSourceSnapshotReference`.
///
/// This is an addition to Apple's API.
///
/// > Concurrency: A value type; usable on any thread.
public struct FetchedResultsSnapshot: Sendable, Hashable {
  /// A section and the ids of its objects.
  public struct Section: Sendable, Hashable {
    /// The section's name; empty if the results have no sections.
    public let identifier: String
    /// The ids of the section's objects, in order.
    public let itemIdentifiers: [NSManagedObjectID]
  }

  /// The sections in order. If the results have no sections, there is one section with an empty
  /// name.
  public let sections: [Section]
  /// The ids of the objects that were already in the results and have changed since the previous
  /// snapshot, in the order of the results; empty if there are none.
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

  /// Returns the ids of the objects in a section, in order.
  ///
  /// - Parameter identifier: The section's name.
  /// - Returns: The ids; empty if there is no section with the name.
  public func itemIdentifiers(inSection identifier: String) -> [NSManagedObjectID] {
    let key = ExactText(identifier)
    return sections.first { ExactText($0.identifier) == key }?.itemIdentifiers ?? []
  }

  /// Returns a copy of this snapshot that also reports the changes of an earlier snapshot that was
  /// not received.
  func following(_ earlier: FetchedResultsSnapshot) -> FetchedResultsSnapshot {
    guard !earlier.reloadedItemIdentifiers.isEmpty else { return self }
    let changed = Set(earlier.reloadedItemIdentifiers).union(reloadedItemIdentifiers)
    var snapshot = self
    snapshot.reloadedItemIdentifiers = itemIdentifiers.filter(changed.contains)
    return snapshot
  }
}
