internal import COpenRuntime
public import OpenObjectGraph

/// The initial values of a sub-model's own properties.
///
/// Swift initializes the properties of a subclass before those of its superclass, and the root class of a model
/// creates the object. Until then the values are stored here. The root class finds them by thread: while an
/// initializer runs, they are the last in a list. Their type also determines the entity of the object.
///
/// > Concurrency: Confined to the thread that initializes the model.
public final class __ModelValues {
  private struct Value {
    let key: __ManagedKey
    let value: Any
    let isTransformable: Bool
  }

  private let type: any PersistentModel.Type
  private var values: [Value] = []
  /// What waited before. Values leave the list before they are destroyed, so that nothing in the list is retained.
  private unowned(unsafe) var previous: __ModelValues?
  private var isWaiting = true

  /// Creates the values of a sub-model that is being initialized.
  public init<Model: PersistentModel>(for type: Model.Type) {
    self.type = type
    previous = Self.last
    Self.last = self
  }

  deinit { leave() }

  /// Sets the initial value of a property.
  public func initialize<Value>(_ key: __ManagedKey, _ value: Value) {
    values.append(.init(key: key, value: value, isTransformable: false))
  }

  /// Sets the initial value of a property with a transformer.
  public func initializeTransformable<Value>(_ key: __ManagedKey, _ value: Value) {
    values.append(.init(key: key, value: value, isTransformable: true))
  }

  // MARK: The list

  /// The values that began to wait last on this thread.
  private static var last: __ModelValues? {
    get {
      ocd_initial_values().map { Unmanaged<__ModelValues>.fromOpaque($0).takeUnretainedValue() }
    }
    set { ocd_set_initial_values(newValue.map { Unmanaged.passUnretained($0).toOpaque() }) }
  }

  /// Takes the values of a sub-model of `root` that is being initialized out of the list.
  static func takePending<Model: PersistentModel>(for root: Model.Type) -> Submodel? {
    guard ocd_initial_values() != nil else { return nil }
    var levels: [__ModelValues] = []
    var base: any PersistentModel.Type = root
    while let values = last, values.type != base, derives(values.type, from: base) {
      levels.append(values)
      base = values.type
      values.leave()
    }
    return levels.isEmpty ? nil : Submodel(levels: levels)
  }

  private static func derives(
    _ type: any PersistentModel.Type, from base: any PersistentModel.Type
  ) -> Bool {
    func open<Base: PersistentModel>(_ base: Base.Type) -> Bool { type is Base.Type }
    return open(base)
  }

  /// Leaves the list; initializers that fail do so too, in an order of their own.
  private func leave() {
    guard isWaiting else { return }
    isWaiting = false
    if Self.last === self { return Self.last = previous }
    var next = Self.last
    while let values = next, values.previous !== self { next = values.previous }
    next?.previous = previous
  }

  // MARK: The object

  /// The classes between the root and the model that is being initialized, the root's subclass first.
  struct Submodel {
    fileprivate let levels: [__ModelValues]

    /// Creates the object of the model, with its first values.
    func makeObject() -> __ModelObject? {
      guard let type = levels.last?.type else { return nil }
      let object = __ModelObject(entity: ModelTypes.entity(of: type), insertInto: nil)
      for level in levels { level.move(to: object) }
      return object
    }
  }

  private func move(to object: __ModelObject) {
    for value in values {
      if value.isTransformable {
        object.setTransformable(value.key, value.value)
      } else {
        object.set(any: value.key, value.value)
      }
    }
    values = []
  }
}
