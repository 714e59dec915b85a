internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

/// The comparison of an object's values with the values that were last fetched or saved.
///
/// > Concurrency: Confined to the context's queue.
struct CommittedComparison {
  private let object: NSManagedObject
  private let entity: CompiledEntity

  init(of object: NSManagedObject) {
    self.object = object
    entity = object.compiledEntity
  }

  /// Whether any persistent property differs from its committed value; always true for an inserted
  /// object.
  var hasDifferences: Bool {
    if object.registration == .inserted || !editedToMany.isEmpty { return true }
    if object.registration == .persistent, !object.flags.contains(.updated) { return false }
    return !ChangeSetBuilder.changedSlots(of: object, object.edits).isEmpty
  }

  /// Returns the current values of the properties that differ from their committed values.
  ///
  /// - Returns: The values by property name, with `NSNull` for nil.
  func changedValues() -> [String: Any] {
    var values: [String: Any] = [:]
    if object.registration == .persistent, !object.flags.contains(.updated) { return values }
    var changedSlots: OrdinalSet?
    if object.registration != .inserted, object.chunk != nil {
      changedSlots = ChangeSetBuilder.changedSlots(of: object, object.edits)
    }
    object.edits.ordinals.forEach { ordinal in
      let edited = entity.properties[ordinal]
      if let changedSlots, let slot = edited.slot, !changedSlots.contains(slot) { return }
      let property = entity.composite(of: edited) ?? edited
      if !property.isTransient { values[property.name] = current(property) }
    }
    for ordinal in editedToMany {
      let property = entity.properties[ordinal]
      values[property.name] = current(property)
    }
    return values
  }

  /// The ordinals of the persistent to-many relationships with unsaved changes.
  private var editedToMany: [Int] {
    (object.extras?.editedToMany ?? []).filter { !entity.properties[$0].isTransient }
  }

  private func current(_ property: CompiledProperty) -> Any {
    PropertyValue.current(property, of: object) ?? NSNull()
  }

  /// Returns the committed values of persistent properties.
  ///
  /// - Parameter keys: The names of the properties; nil for all properties.
  /// - Returns: The values by property name, with `NSNull` for nil; empty for an object that was
  ///   never saved.
  func committedValues(_ keys: [String]?) -> [String: Any] {
    guard object.registration != .inserted else { return [:] }
    object.realizeIfNeeded()
    var values: [String: Any] = [:]
    for property in entity.properties where keys?.contains(property.name) ?? true {
      if property.isTransient { continue }
      if property.attribute?.elements.isEmpty == false {
        let value = CompositeValue(property, of: entity) { PropertyValue.committed($0, of: object) }
        values[property.name] = value?.dictionary ?? NSNull()
      } else if property.relationship?.isToMany == true {
        values[property.name] = committedMembers(property)
      } else if property.slot != nil, !property.isElement {
        values[property.name] = PropertyValue.committed(property, of: object) ?? NSNull()
      }
    }
    return values
  }

  /// Whether the context deletes objects that may be stored members of a to-many relationship.
  ///
  /// A list that was read after the deletion of a member does not contain the member.
  private func mayLackDeletedMembers(_ property: CompiledProperty) -> Bool {
    guard !object.isRowMissing, let destination = property.relationship?.destination,
      let context = object.context
    else { return false }
    return context.unitOfWork.deleted.contains {
      !$0.isRowMissing && destination.subtree.contains($0.compiledEntity.index)
    }
  }

  /// Returns the stored members of a to-many relationship.
  private func committedMembers(_ property: CompiledProperty) -> Any {
    let state = object.loadedMembers(property.ordinal)
    var members = object.members(property.ordinal)
    if state.isEdited || mayLackDeletedMembers(property) {
      do {
        members = try PropertyValue.committedMembers(property, of: object)
      } catch {
        object.note(CocoaError.make(error))
        return NSNull()
      }
    }
    return state.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
  }
}
