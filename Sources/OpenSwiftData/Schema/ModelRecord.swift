internal import Foundation
internal import Synchronization

/// The metadata of a model type, read once.
///
/// The generated code computes the metadata, including the default values, at each access.
///
/// > Concurrency: Any thread.
// Invariant of the unchecked conformance: the record is immutable, and its key paths, default
// values and descriptions are only read.
final class ModelRecord: @unchecked Sendable {
  /// A property of a model type.
  struct Row {
    let name: String
    let keyPath: AnyKeyPath
    let valueType: any Any.Type
    let defaultValue: Any?
    let metadata: (any SchemaProperty)?
    /// The models that the property refers to; `nil` for an attribute.
    let relationship: RelationshipShape?
  }

  let type: any PersistentModel.Type
  /// Whether the record is empty because the metadata is still being read.
  let isIncomplete: Bool
  /// The name of the class, without enclosing types.
  let entityName: String
  /// The record of the superclass, if the superclass is a model.
  let parent: ModelRecord?
  /// All properties, including those of superclasses. All key paths start at the class itself.
  let metadata: [Schema.PropertyMetadata]
  /// The properties that the class declares itself.
  let rows: [Row]
  /// The groups of properties in `#Unique` and `#Index` of the class.
  let groups: [KeyPathGroup]

  private static let known = Mutex<[ObjectIdentifier: ModelRecord]>([:])

  /// Returns the record of a type.
  ///
  /// > Concurrency: Any thread. Several threads may read the metadata of a type at first, but only
  /// > one of the records is kept.
  static func of(_ type: any PersistentModel.Type) -> ModelRecord {
    if let record = known.withLock({ $0[ObjectIdentifier(type)] }) { return record }
    guard let new = reading(type, { ModelRecord(type) }) else {
      return ModelRecord(incomplete: type)
    }
    return known.withLock { records in
      if let first = records[ObjectIdentifier(type)] { return first }
      records[ObjectIdentifier(type)] = new
      return new
    }
  }

  /// Reads the metadata of a type; returns `nil` while the current thread is already reading the
  /// same metadata.
  ///
  /// This recursion occurs if a default value creates a model whose schema has the type.
  private static func reading(
    _ type: any PersistentModel.Type, _ read: () -> ModelRecord
  ) -> ModelRecord? {
    let key = "OpenSwiftData.ModelRecord"
    let storage = Thread.current.threadDictionary
    let others = storage[key] as? Set<ObjectIdentifier> ?? []
    guard !others.contains(ObjectIdentifier(type)) else { return nil }
    storage[key] = others.union([ObjectIdentifier(type)])
    defer { storage[key] = others }
    return read()
  }

  private init(incomplete type: any PersistentModel.Type) {
    self.type = type
    isIncomplete = true
    entityName = String(describing: type)
    parent = nil
    metadata = []
    rows = []
    groups = []
  }

  private init(_ type: any PersistentModel.Type) {
    self.type = type
    isIncomplete = false
    entityName = String(describing: type)
    parent = Self.superModel(of: type).map { ModelRecord.of($0) }
    let metadata = type.schemaMetadata
    let inherited = Set(parent?.chain.flatMap { $0.rows.map(\.name) } ?? [])
    let inheritedGroups = Set(parent?.chain.flatMap(\.groups) ?? [])
    self.metadata = metadata.filter { !($0.metadata is any KeyPathGrouping) }
      .map { $0.inherited(by: type) }
    rows = self.metadata.filter { !inherited.contains($0.name) }.map { Self.row($0) }
    groups = metadata.flatMap { ($0.metadata as? any KeyPathGrouping)?.keyPathGroups ?? [] }
      .filter { !inheritedGroups.contains($0) }
  }

  private static func row(_ metadata: Schema.PropertyMetadata) -> Row {
    Row(
      name: metadata.name, keyPath: metadata.keypath, valueType: metadata.valueType,
      defaultValue: metadata.defaultValue, metadata: metadata.metadata,
      relationship: RelationshipShape(metadata.valueType))
  }

  /// Returns the nearest superclass that is a model.
  private static func superModel(
    of type: any PersistentModel.Type
  ) -> (any PersistentModel.Type)? {
    var current: AnyClass? = _getSuperclass(type)
    while let candidate = current {
      if let model = candidate as? any PersistentModel.Type { return model }
      current = _getSuperclass(candidate)
    }
    return nil
  }

  /// The record itself, followed by the records of its superclasses.
  var chain: [ModelRecord] { [self] + (parent?.chain ?? []) }

  /// Returns the property with a name, which may be inherited.
  func row(named name: String) -> Row? {
    rows.first { $0.name == name } ?? parent?.row(named: name)
  }

  /// Returns the name of the property with the given key path, which may be inherited.
  ///
  /// The key path starts at the class or at one of its superclasses.
  func name(of keyPath: AnyKeyPath) -> String? {
    metadata.first { $0.keypath == keyPath }?.name ?? parent?.name(of: keyPath)
  }
}
