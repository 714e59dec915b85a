import CoreData
import Foundation

/// How many objects an import made, changed and removed, by entity.
public struct ImportSummary: Sendable, Equatable {
  /// Objects made, by entity name.
  public private(set) var inserted: [String: Int] = [:]
  /// Objects that had a stored value changed, by entity name.
  public private(set) var updated: [String: Int] = [:]
  /// Objects removed, by entity name.
  public private(set) var deleted: [String: Int] = [:]

  /// Nothing done.
  public init() {}

  /// Counts what a context is about to save.
  init(pendingIn context: NSManagedObjectContext) {
    for object in context.insertedObjects { inserted[Self.name(of: object), default: 0] += 1 }
    for object in context.updatedObjects where Self.hasNewValue(object) {
      updated[Self.name(of: object), default: 0] += 1
    }
    for object in context.deletedObjects { deleted[Self.name(of: object), default: 0] += 1 }
  }

  /// The number of objects made.
  public var insertedCount: Int { inserted.values.reduce(0, +) }
  /// The number of objects changed.
  public var updatedCount: Int { updated.values.reduce(0, +) }
  /// The number of objects removed.
  public var deletedCount: Int { deleted.values.reduce(0, +) }
  /// Whether nothing was made, changed or removed.
  public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

  /// Adds the counts of another import.
  public static func += (sum: inout ImportSummary, other: ImportSummary) {
    sum.inserted.merge(other.inserted, uniquingKeysWith: +)
    sum.updated.merge(other.updated, uniquingKeysWith: +)
    sum.deleted.merge(other.deleted, uniquingKeysWith: +)
  }

  private static func name(of object: NSManagedObject) -> String { object.entity.name ?? "" }

  /// To-many relationships do not count, because the members' rows hold them, and asking for one would fetch its members.
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
