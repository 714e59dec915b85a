public import Foundation
internal import OpenObjectModel

// Accessors of ordered to-many relationships by index: the implementations of `insertIntoXs(_:at:)`
// and similar methods. An index that does not exist changes nothing, and the next save throws.

extension NSManagedObject {
  /// Inserts an object into an ordered relationship at an index. If the object is already a member,
  /// the method moves the object to the index.
  ///
  /// If the index is out of range, or if no ordered relationship has the name `key`, nothing
  /// changes, and the next save throws `ObjectError`.
  public final func __insertMember(_ member: NSManagedObject, _ key: String, at index: Int) {
    RelationshipEdit.changeOrder(key, of: self) { $0.insert([member], at: [index]) }
  }

  /// Removes the member at an index from an ordered relationship.
  ///
  /// If the index is out of range, or if no ordered relationship has the name `key`, nothing
  /// changes, and the next save throws `ObjectError`.
  public final func __removeMember(_ key: String, at index: Int) {
    RelationshipEdit.changeOrder(key, of: self) { $0.remove(at: [index]) }
  }

  /// Replaces the member at an index of an ordered relationship with another object.
  ///
  /// If the index is out of range, or if no ordered relationship has the name `key`, nothing
  /// changes, and the next save throws `ObjectError`.
  public final func __replaceMember(_ key: String, at index: Int, with member: NSManagedObject) {
    RelationshipEdit.changeOrder(key, of: self) { $0.replace(at: index, with: member) }
  }

  /// Inserts objects into an ordered relationship at the given indexes, beginning with the lowest
  /// index.
  ///
  /// The method ignores elements that are not managed objects. In the following cases, nothing
  /// changes, and the next save throws `ObjectError`:
  ///
  /// - An index is out of range.
  /// - The number of objects differs from the number of indexes.
  /// - No ordered relationship has the name `key`.
  public final func __insertMembers(_ members: some Sequence, _ key: String, at indexes: NSIndexSet)
  {
    let given = members.compactMap { $0 as? NSManagedObject }
    RelationshipEdit.changeOrder(key, of: self) { $0.insert(given, at: indexes.map { $0 }) }
  }

  /// Removes the members at the given indexes from an ordered relationship.
  ///
  /// If an index is out of range, or if no ordered relationship has the name `key`, nothing
  /// changes, and the next save throws `ObjectError`.
  public final func __removeMembers(_ key: String, at indexes: NSIndexSet) {
    RelationshipEdit.changeOrder(key, of: self) { $0.remove(at: indexes.map { $0 }) }
  }

  /// Replaces the members at the given indexes of an ordered relationship with other objects.
  ///
  /// A new object that is already a member at another index moves to the new index. In the
  /// following cases, nothing changes, and the next save throws `ObjectError`:
  ///
  /// - An index is out of range.
  /// - The number of objects differs from the number of indexes.
  /// - An object occurs twice.
  /// - No ordered relationship has the name `key`.
  public final func __replaceMembers(
    _ key: String, at indexes: NSIndexSet, with members: some Sequence
  ) {
    let given = members.compactMap { $0 as? NSManagedObject }
    RelationshipEdit.changeOrder(key, of: self) { $0.replace(at: indexes.map { $0 }, with: given) }
  }
}
