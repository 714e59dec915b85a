internal import COpenRuntime
public import OpenObjectGraph

/// The initial values of the properties that a subclass of a model declares.
///
/// Swift initializes the properties of a subclass before the properties of the superclass, but only
/// the initializer of the root class creates the managed object. Until the managed object exists,
/// an instance of this class stores the initial values. Each thread has a list of these instances,
/// from which the root class takes the instances of the new model. The subclass determines the
/// entity of the managed object.
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
  /// The previous values in the list. Values leave the list before they are destroyed, so the list
  /// retains nothing.
  private unowned(unsafe) var previous: __ModelValues?
  private var isWaiting = true

  /// Creates the storage for the initial values of a subclass, and appends the storage to the
  /// thread's list.
  ///
  /// - Parameter type: The subclass whose properties have the values.
  public init<Model: PersistentModel>(for type: Model.Type) {
    self.type = type
    previous = Self.last
    Self.last = self
  }

  deinit { leave() }

  /// Sets the initial value of a property.
  ///
  /// - Parameters:
  ///   - key: The key of the property.
  ///   - value: The initial value.
  public func initialize<Value>(_ key: __ManagedKey, _ value: Value) {
    values.append(.init(key: key, value: value, isTransformable: false))
  }

  /// Sets the initial value of a property that has a value transformer.
  ///
  /// - Parameters:
  ///   - key: The key of the property.
  ///   - value: The initial value.
  public func initializeTransformable<Value>(_ key: __ManagedKey, _ value: Value) {
    values.append(.init(key: key, value: value, isTransformable: true))
  }

  // MARK: The list

  /// The last values in the list of the current thread.
  private static var last: __ModelValues? {
    get {
      ocd_initial_values().map { Unmanaged<__ModelValues>.fromOpaque($0).takeUnretainedValue() }
    }
    set { ocd_set_initial_values(newValue.map { Unmanaged.passUnretained($0).toOpaque() }) }
  }

  /// Removes the values of the sub-model that is being initialized from the list, and returns the
  /// values; `nil` if no sub-model of `root` is being initialized.
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

  /// Removes the values from the list. Initializers that fail remove their values in any order.
  private func leave() {
    guard isWaiting else { return }
    isWaiting = false
    if Self.last === self { return Self.last = previous }
    var next = Self.last
    while let values = next, values.previous !== self { next = values.previous }
    next?.previous = previous
  }

  // MARK: The object

  /// The values of the classes below the root of a model that is being initialized, starting with
  /// the root's subclass.
  struct Submodel {
    fileprivate let levels: [__ModelValues]

    /// Creates the object of the model with its initial values.
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
