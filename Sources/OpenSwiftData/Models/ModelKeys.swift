internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel
internal import OpenPredicates
internal import Synchronization

/// Finds the keys of properties by their key paths.
///
/// A key path that is not in a model's schema may come from a generic function, or lead over
/// several properties. Such a key path is applied to a model that only records which properties are
/// read.
///
/// > Concurrency: Any thread.
enum ModelKeys {
  // Invariant of the unchecked conformance: key paths are immutable.
  private struct Box: @unchecked Sendable {
    var names: [AnyKeyPath: String] = [:]
    var keys: [String: __ManagedKey] = [:]
    /// The model types whose properties are in `names`.
    var types: Set<ObjectIdentifier> = []
    /// The columns of the key paths that sort descriptors have used.
    private var columns: [AnyKeyPath: SortColumn] = [:]
    /// The column that was found last. Finding it again does not hash the key path.
    private var lastColumn: (keyPath: AnyKeyPath, column: SortColumn)?

    mutating func column(of keyPath: AnyKeyPath) -> SortColumn? {
      if let lastColumn, lastColumn.keyPath === keyPath { return lastColumn.column }
      guard let column = columns[keyPath] else { return nil }
      lastColumn = (keyPath, column)
      return column
    }

    mutating func insert(_ column: SortColumn, of keyPath: AnyKeyPath) {
      columns[keyPath] = column
    }
  }

  private static let box = Mutex(Box())

  /// Registers the property names of models for predicates and sort descriptors, once in a process.
  static let areKnownToPredicates: Void = KeyPathNames.add(
    isObject: { $0 is any PersistentModel.Type },
    entity: { ($0 as? any PersistentModel.Type).map { Schema.entityName(for: $0) } },
    isEncoded: { keyPath in
      (type(of: keyPath).rootType as? any PersistentModel.Type).map {
        KeyPathProof.isEncoded(keyPath, in: $0)
      } ?? false
    },
    areMembersStored: { KeyPathProof.areMembersStored(of: $0) },
    { keyPath in
      (type(of: keyPath).rootType as? any PersistentModel.Type).flatMap {
        name(of: keyPath, in: $0)
      }
    })

  /// Returns the dotted name of a key path of a model.
  ///
  /// The result is `nil` if the key path leads to a value that is neither a persisted property nor
  /// a member of a persisted structure.
  static func name<Model: PersistentModel>(
    of keyPath: AnyKeyPath, in type: Model.Type
  ) -> String? {
    learn(type)
    let known = box.withLock { $0.names[keyPath] }
    if let known { return known }
    guard let name = recordedName(of: keyPath, in: type) else { return nil }
    box.withLock { $0.names[keyPath] = name }
    return name
  }

  /// Returns the column with the values of a key path. The first call for a key path obtains the
  /// column from `make`.
  static func column<Failure: Error>(
    of keyPath: AnyKeyPath, make: () throws(Failure) -> SortColumn
  ) throws(Failure) -> SortColumn {
    if let known = box.withLock({ $0.column(of: keyPath) }) { return known }
    let column = try make()
    box.withLock { $0.insert(column, of: keyPath) }
    return column
  }

  private static func learn<Model: PersistentModel>(_ type: Model.Type) {
    let id = ObjectIdentifier(type)
    guard !box.withLock({ $0.types.contains(id) }) else { return }
    let properties = ModelRecord.of(type).chain.flatMap(\.metadata)
    box.withLock { box in
      for property in properties { box.names[property.keypath] = property.name }
      box.types.insert(id)
    }
  }

  private static func recordedName<Model: PersistentModel>(
    of keyPath: AnyKeyPath, in type: Model.Type
  ) -> String? {
    guard Swift.type(of: keyPath).rootType is any PersistentModel.Type else { return nil }
    if let attribute = KeyPathProof.attribute(in: keyPath, from: type) {
      return KeyPathProof.name(of: keyPath, reading: attribute, from: type)
    }
    if let member = KeyPathProof.member(keyPath, from: type) { return member }
    if KeyPathProof.startsAtComputed(keyPath, from: type)
      || KeyPathProof.mayReadInside(keyPath, from: type)
    {
      return nil
    }
    let recorded = KeyRecorder.name(readingAn: __ModelObject.self) { object in
      guard let object = object as? __ModelObject else { return }
      let model: any Any = object.makeModel(type)
      _ = model[keyPath: keyPath]
    }
    return recorded.flatMap { KeyPathProof.name(of: keyPath, reading: $0, from: type) }
  }

  /// Returns the key paths of the properties with the given names, in the order of the schema.
  static func keyPaths<Model: PersistentModel>(
    of type: Model.Type, named names: Set<String>
  ) -> [any PartialKeyPath<Model> & Sendable] {
    Schema.ownProperties(of: type).compactMap { property in
      guard names.contains(property.name), let path = property.keypath as? PartialKeyPath<Model>
      else { return nil }
      // Key paths of properties are immutable, and capture no values.
      return unsafeBitCast(path, to: (any PartialKeyPath<Model> & Sendable).self)
    }
  }

  /// Returns the key of a property, for accessors that receive a key path.
  static func key<Model: PersistentModel>(
    of keyPath: AnyKeyPath, in type: Model.Type, _ object: __ModelObject
  ) -> __ManagedKey {
    guard let name = name(of: keyPath, in: type), !name.contains(".") else {
      object.deferError("\(keyPath) is not a persisted property of \(type).")
      return key(named: "")
    }
    return key(named: name)
  }

  static func key(named name: String) -> __ManagedKey {
    box.withLock { box in
      if let key = box.keys[name] { return key }
      let key = __ModelKey(name)
      box.keys[name] = key
      return key
    }
  }

  /// Returns the name that observers of a property register for.
  ///
  /// The name is the property's key, or a description of the key path if the property is not
  /// persisted.
  static func observedName<Model: PersistentModel>(
    of keyPath: AnyKeyPath, in type: Model.Type
  ) -> String {
    learn(type)
    return box.withLock { $0.names[keyPath] } ?? "\(keyPath)"
  }
}
