internal import OpenObjectModel

/// The relationships that generated accessors change, such as `addToBooks(_:)`.
extension RelationshipEdit {
  /// Creates the edit of a to-many relationship; reports misuse and returns nil otherwise.
  init?(toManyNamed key: String, of object: NSManagedObject) {
    guard let ordinal = Self.ordinal(of: key, in: object) else {
      object.reportMisuse("The entity has no to-many relationship with this name.", key)
      return nil
    }
    self.init(toMany: ordinal, of: object)
  }

  /// Changes the positions of members of an ordered relationship; reports any other key as misuse.
  ///
  /// `change` returns whether the indexes exist and match the objects.
  static func changeOrder(
    _ key: String, of object: NSManagedObject, _ change: (inout MemberOrder) -> Bool
  ) {
    guard let ordinal = ordinal(of: key, in: object),
      let edit = RelationshipEdit(object, ordinal), edit.relationship.isOrdered
    else {
      return object.reportMisuse("The entity has no ordered relationship with this name.", key)
    }
    edit.changeOrder(change)
  }

  /// Returns the ordinal of the relationship that an accessor changes.
  ///
  /// `addToURLs(_:)` may belong to `uRLs` or to `URLs`. If the entity has no property with the
  /// given name, the method tries the other spelling.
  private static func ordinal(of key: String, in object: NSManagedObject) -> Int? {
    if let ordinal = object.compiledEntity.ordinal(of: key) { return ordinal }
    guard let first = key.first else { return nil }
    let other = first.isUppercase ? first.lowercased() : first.uppercased()
    return object.compiledEntity.ordinal(of: other + key.dropFirst())
  }
}
