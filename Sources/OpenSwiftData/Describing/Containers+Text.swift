internal import OpenObjectModel

extension ModelContext: CustomReflectable {
  /// The container and the settings; nothing is read from a store.
  ///
  /// > Reference: Addition.
  public var customMirror: Mirror {
    let facts = Facts(
      of: self,
      ["container": container, "author": editingState.author, "autosaveEnabled": autosaveEnabled])
    return facts.mirror
  }
}

extension ModelContainer: CustomReflectable {
  /// The schema, the migration plan and the configurations.
  ///
  /// > Reference: Addition.
  public var customMirror: Mirror {
    let facts = Facts(
      of: self,
      [
        "schema": schema, "migrationPlan": migrationPlan,
        "configurations": configurations.sorted { $0.name < $1.name },
      ])
    return facts.mirror
  }
}

extension PersistentIdentifier: CustomReflectable {
  /// No children; the description contains everything.
  ///
  /// > Reference: Addition.
  public var customMirror: Mirror { Facts(of: self, [:]).mirror }
}
