import CoreData
import Foundation

/// The numbers of objects that an import inserted, updated and deleted, by entity.
public struct ImportSummary: Sendable, Equatable {
  /// The numbers of inserted objects, by entity name.
  public private(set) var inserted: [String: Int] = [:]
  /// The numbers of updated objects with at least one changed stored value, by entity name.
  public private(set) var updated: [String: Int] = [:]
  /// The numbers of deleted objects, by entity name.
  public private(set) var deleted: [String: Int] = [:]

  /// Creates an empty summary.
  public init() {}

  /// Counts the pending changes of a context.
  init(pendingIn context: NSManagedObjectContext) {
    for object in context.insertedObjects { inserted[Self.name(of: object), default: 0] += 1 }
    for object in context.updatedObjects where Self.hasNewValue(object) {
      updated[Self.name(of: object), default: 0] += 1
    }
    for object in context.deletedObjects { deleted[Self.name(of: object), default: 0] += 1 }
  }

  /// The number of inserted objects.
  public var insertedCount: Int { inserted.values.reduce(0, +) }
  /// The number of updated objects.
  public var updatedCount: Int { updated.values.reduce(0, +) }
  /// The number of deleted objects.
  public var deletedCount: Int { deleted.values.reduce(0, +) }
  /// Whether the import inserted, updated and deleted no objects.
  public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

  /// Adds the counts of another import.
  public static func += (sum: inout ImportSummary, other: ImportSummary) {
    sum.inserted.merge(other.inserted, uniquingKeysWith: +)
    sum.updated.merge(other.updated, uniquingKeysWith: +)
    sum.deleted.merge(other.deleted, uniquingKeysWith: +)
  }

  private static func name(of object: NSManagedObject) -> String { object.entity.name ?? "" }

  /// Returns whether a stored value of an object has changed. To-many relationships do not count: the members' rows store them, and reading
  /// one would fetch its members.
  private static func hasNewValue(_ object: NSManagedObject) -> Bool {
    let relationships = object.entity.relationshipsByName
    let keys = object.entity.propertiesByName.keys.filter { relationships[$0]?.isToMany != true }
    let former = object.committedValues(forKeys: keys)
    return keys.contains { comparable(former[$0]) != comparable(object.value(forKey: $0)) }
  }

  private static func comparable(_ value: Any?) -> AnyHashable? {
    value is NSNull ? nil : value as? AnyHashable
  }
}
