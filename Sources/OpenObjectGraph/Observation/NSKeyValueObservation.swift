public import Foundation

/// An observation of a property. The observation ends when this object is released.
///
/// The method ``NSFetchRequestResult/observe(_:options:changeHandler:)`` returns the observation.
/// The observation does not retain the observed object.
///
/// > Concurrency: Any thread may release the observation or call ``invalidate()``. Neither
/// > operation waits for a handler that is running on the context's queue.
/// > Reference: Apple, `NSKeyValueObservation`, which Foundation has on Apple platforms only.
public final class NSKeyValueObservation: NSObject {
  private var end: (() -> Void)?

  /// Creates an observation.
  ///
  /// - Parameter end: The function that ends the observation, called once; nil for an observation
  ///   that has already ended.
  package init(_ end: (() -> Void)?) { self.end = end }

  convenience init(_ subscription: KeyPathSubscription?) {
    self.init(subscription.map { $0.end })
  }

  deinit { end?() }

  /// Ends the observation; calling the method again does nothing.
  public func invalidate() {
    end?()
    end = nil
  }
}

extension NSFetchRequestResult where Self: NSManagedObject {
  /// Calls a handler for each change to a property, until the observation is released or
  /// invalidated.
  ///
  /// ```swift
  /// observation = book.observe(\.title, options: [.old, .new]) { book, change in
  ///   print(book.objectID, change.oldValue, change.newValue)
  /// }
  /// ```
  ///
  /// The handler is called each time the property is set, even if the new value equals the old
  /// value. If a relationship changes, the observers of both sides are notified. The handler is
  /// also called when a merge, a refresh, an undo, a rollback or a save changes the value.
  ///
  /// If members are added to or removed from a relationship, the change contains only these
  /// members, and their indexes if the relationship is ordered. Observing a fault fires the fault.
  /// After a refresh turns the observed object into a fault, the observation fires the fault again.
  ///
  /// - Parameters:
  ///   - keyPath: A managed property, which may be at the end of to-one relationships, such as
  ///     `\.author?.name`. Changes of any other key path are never reported, and the next save of
  ///     the object's context throws `ObjectError`.
  ///   - options: Options that specify which values a change contains, and whether the handler is
  ///     also called with the initial value and before each change.
  ///   - changeHandler: The handler, called on the context's queue with the object and the change.
  /// - Returns: The observation, which the caller must retain.
  /// > Concurrency: Call on the context's queue.
  /// > Reference: Apple, `observe(_:options:changeHandler:)`. Differs: D-273.
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    let observation = KeyValueObserver(self, keyPath, options, changeHandler)
    let subscription = KeyPathSubscription(
      to: keyPath, of: self, willChange: options.contains(.prior) ? observation.willChange : nil,
      didChange: observation.didChange)
    if subscription != nil { observation.begin() }
    return NSKeyValueObservation(subscription)
  }
}

/// One call of `observe(_:options:changeHandler:)`, and the last value passed to its handler.
///
/// > Concurrency: Confined to the queue of the object's context.
private final class KeyValueObserver<Object: NSManagedObject, Value> {
  private weak var object: Object?
  private let keyPath: KeyPath<Object, Value>
  private let options: NSKeyValueObservingOptions
  private let handler: (Object, NSKeyValueObservedChange<Value>) -> Void
  private var last: Value?

  init(
    _ object: Object, _ keyPath: KeyPath<Object, Value>, _ options: NSKeyValueObservingOptions,
    _ handler: @escaping (Object, NSKeyValueObservedChange<Value>) -> Void
  ) {
    self.object = object
    self.keyPath = keyPath
    self.options = options
    self.handler = handler
  }

  /// Stores the current value, and calls the handler if the option `initial` is set.
  func begin() {
    guard let object else { return }
    if options.contains(.old) { last = object[keyPath: keyPath] }
    guard options.contains(.initial) else { return }
    handler(object, change(.setting, new: options.contains(.new) ? object[keyPath: keyPath] : nil))
  }

  func willChange(_ how: ObservedChange) {
    guard let object else { return }
    let old = how.kind == .setting ? last : value(how.left, how)
    handler(object, change(how, old: options.contains(.old) ? old : nil, isPrior: true))
  }

  func didChange(_ how: ObservedChange) {
    guard let object else { return }
    let former = last
    let present =
      options.contains(.old) || options.contains(.new) && how.kind == .setting
      ? object[keyPath: keyPath] : nil
    if options.contains(.old) { last = present }
    let new = how.kind == .setting ? present : value(how.arrived, how)
    let old = how.kind == .setting ? former : value(how.left, how)
    handler(
      object,
      change(how, new: options.contains(.new) ? new : nil, old: options.contains(.old) ? old : nil))
  }

  /// Returns added or removed members as a value of the property's type; nil if there are none.
  private func value(_ members: [NSManagedObject], _ how: ObservedChange) -> Value? {
    if members.isEmpty { return nil }
    let value: Any = how.indexes == nil ? NSSet(array: members) : NSOrderedSet(array: members)
    return value as? Value
  }

  private func change(
    _ how: ObservedChange, new: Value? = nil, old: Value? = nil, isPrior: Bool = false
  ) -> NSKeyValueObservedChange<Value> {
    NSKeyValueObservedChange(
      kind: how.kind, newValue: new, oldValue: old, indexes: how.indexes, isPrior: isPrior)
  }
}
