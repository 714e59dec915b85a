extension Schema: CustomReflectable {
  /// A mirror with the version and the entities of the schema.
  ///
  /// This is an addition to Apple's API.
  public var customMirror: Mirror {
    Facts(of: self, ["version": version, "entities": entities]).mirror
  }
}

extension Schema.Entity: CustomDebugStringConvertible, CustomReflectable {
  private var facts: Facts<Schema.Entity> {
    Facts(
      of: self,
      [
        "name": name, "superentityName": superentityName,
        "subentities": subentities.isEmpty ? nil : subentities.map(\.name).sorted(),
        "storedProperties": storedProperties.map(\.name),
        "uniquenessConstraints": uniquenessConstraints.isEmpty ? nil : uniquenessConstraints,
        "indices": indices.isEmpty ? nil : indices,
      ])
  }

  /// A string with the name, the superentity, the subentities, the stored properties, the
  /// uniqueness constraints and the indexes of the entity.
  public var debugDescription: String { facts.text }

  /// A mirror with the same details as ``debugDescription``.
  ///
  /// This is an addition to Apple's API.
  public var customMirror: Mirror { facts.mirror }
}

extension Schema.Attribute: CustomDebugStringConvertible {
  /// A string with the name, the original name, the type, the options and the hash modifier of the
  /// attribute.
  public var debugDescription: String {
    Facts(
      of: self,
      [
        "name": name, "originalName": originalName == name ? nil : originalName,
        "valueType": valueType, "options": options.isEmpty ? nil : options,
        "hashModifier": hashModifier,
      ]
    ).text
  }
}

extension Schema.Relationship: CustomDebugStringConvertible {
  /// A string with the name, the original name, the type, the destination, the inverse, the delete
  /// rule, the options and the hash modifier of the relationship.
  public var debugDescription: String {
    Facts(
      of: self,
      [
        "name": name, "originalName": originalName == name ? nil : originalName,
        "valueType": valueType, "destination": destination, "inverseName": inverseName,
        "deleteRule": deleteRule, "options": options.isEmpty ? nil : options,
        "hashModifier": hashModifier,
      ]
    ).text
  }
}
