internal import OpenObjectModel

extension ModelContext: CustomReflectable {
  /// A mirror with the container, the author and the value of ``autosaveEnabled``. Creating the
  /// mirror does not read a store.
  ///
  /// This is an addition to Apple's API.
  public var customMirror: Mirror {
    let facts = Facts(
      of: self,
      ["container": container, "author": editingState.author, "autosaveEnabled": autosaveEnabled])
    return facts.mirror
  }
}

extension ModelContainer: CustomReflectable {
  /// A mirror with the schema, the migration plan and the configurations.
  ///
  /// This is an addition to Apple's API.
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
  /// A mirror without children; ``description`` contains all details.
  ///
  /// This is an addition to Apple's API.
  public var customMirror: Mirror { Facts(of: self, [:]).mirror }
}
