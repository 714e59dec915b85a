internal import Synchronization

/// The transformers of the process, by name.
///
/// A lock protects the transformers, and is not held while code of the program runs.
enum TransformerRegistry {
  /// Transformers are passed between threads, because any thread may call them; they do not change.
  private struct Registered: @unchecked Sendable {
    let transformer: ValueTransformer
  }

  private struct State {
    var transformers: [String: Registered]
    /// Names without a class, cached because a search visits all type records.
    var unknown: Set<String> = []
  }

  private static let state = Mutex(State(transformers: builtIn))

  private static var builtIn: [String: Registered] {
    [
      "NSNegateBoolean": NegatingTransformer(), "NSIsNil": NilTransformer(isNilTrue: true),
      "NSIsNotNil": NilTransformer(isNilTrue: false),
      "NSSecureUnarchiveFromData": NSSecureUnarchiveFromDataTransformer(),
      "NSKeyedUnarchiveFromData": UnarchivingTransformer(),
      "NSUnarchiveFromData": UnarchivingTransformer(),
    ].mapValues { Registered(transformer: $0) }
  }

  /// Other names of the library's transformers in models: their class names, and the names of
  /// Apple's constants.
  private static let aliases = [
    "NSSecureUnarchiveFromDataTransformer": "NSSecureUnarchiveFromData",
    "NSSecureUnarchiveFromDataTransformerName": "NSSecureUnarchiveFromData",
    "NSKeyedUnarchiveFromDataTransformerName": "NSKeyedUnarchiveFromData",
    "NSUnarchiveFromDataTransformerName": "NSUnarchiveFromData",
  ]

  static var names: [String] { state.withLock { Array($0.transformers.keys) } }

  static func set(_ transformer: ValueTransformer?, for name: String) {
    let registered = transformer.map { Registered(transformer: $0) }
    // The replaced transformer is released after the lock, because its `deinit` is code of the
    // program.
    _ = state.withLock { state in
      let old = state.transformers.removeValue(forKey: name)
      state.transformers[name] = registered
      return old
    }
  }

  /// Returns the transformer with the given name; if no transformer is registered, the class with
  /// this name creates a transformer.
  static func transformer(for name: String) -> ValueTransformer? {
    let (known, isUnknown) = state.withLock { state in
      (
        state.transformers[name] ?? aliases[name].flatMap { state.transformers[$0] },
        state.unknown.contains(name)
      )
    }
    if known != nil || isUnknown { return known?.transformer }
    return makeTransformer(named: name)
  }

  private static func makeTransformer(named name: String) -> ValueTransformer? {
    let types = TypeRecords.classes(named: name).compactMap {
      $0 as? any NamedValueTransformer.Type
    }
    guard types.count == 1 else {
      state.withLock { _ = $0.unknown.insert(name) }
      return nil
    }
    let made = Registered(transformer: types[0].makeTransformer())
    // Another thread may have created a transformer meanwhile.
    return state.withLock { state in
      if let first = state.transformers[name] { return first }
      state.transformers[name] = made
      return made
    }.transformer
  }
}
