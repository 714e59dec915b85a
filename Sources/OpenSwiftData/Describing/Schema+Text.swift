extension Schema: CustomReflectable {
  /// The version and the entities.
  ///
  /// > Reference: Addition.
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

  /// The name, the names of the properties, and the constraints.
  ///
  /// > Reference: Addition.
  public var debugDescription: String { facts.text }

  /// The facts of ``debugDescription``.
  ///
  /// > Reference: Addition.
  public var customMirror: Mirror { facts.mirror }
}
