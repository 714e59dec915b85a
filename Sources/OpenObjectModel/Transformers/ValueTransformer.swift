public import Foundation

/// An object that converts a value to another representation and, optionally, back to the value.
///
/// A transformable attribute stores transformed values if its `valueTransformerName` names a
/// registered transformer. The transformer converts a value to `Data` in ``transformedValue(_:)``
/// and data to a value in ``reverseTransformedValue(_:)``. A subclass of
/// ``NSSecureUnarchiveFromDataTransformer`` converts in the opposite directions.
///
/// ```swift
/// final class ColorTransformer: ValueTransformer {
///   override class func allowsReverseTransformation() -> Bool { true }
///   override func transformedValue(_ value: Any?) -> Any? { (value as? Color)?.encoded }
///   override func reverseTransformedValue(_ value: Any?) -> Any? { (value as? Data).flatMap(Color.init(encoded:)) }
/// }
///
/// ValueTransformer.setValueTransformer(ColorTransformer(), forName: NSValueTransformerName("ColorTransformer"))
/// ```
///
/// Register transformers before the first coordinator uses the model.
///
/// > Concurrency: Several contexts may call a transformer at the same time, each on its own queue.
/// > A transformer therefore must not change its own state.
/// > Reference: Apple, ValueTransformer.
open class ValueTransformer: NSObject {
  /// Creates a transformer.
  public override init() { super.init() }

  /// Returns the class of the values that ``transformedValue(_:)`` returns; `NSObject` by default.
  ///
  /// > Reference: Apple, transformedValueClass().
  open class func transformedValueClass() -> AnyClass { NSObject.self }

  /// Returns whether the transformer supports ``reverseTransformedValue(_:)``; `true` by default.
  ///
  /// > Reference: Apple, allowsReverseTransformation().
  open class func allowsReverseTransformation() -> Bool { true }

  /// Returns the transformed representation of a value; by default, the value itself.
  ///
  /// - Parameter value: The value to transform; nil if there is no value.
  /// - Returns: The representation; nil if the value cannot be transformed.
  /// > Reference: Apple, transformedValue(_:).
  open func transformedValue(_ value: Any?) -> Any? { value }

  /// Returns the value from which a representation was created.
  ///
  /// The default implementation calls ``transformedValue(_:)``. This implementation is correct only
  /// for a transformation that is its own inverse.
  ///
  /// - Parameter value: The result of ``transformedValue(_:)``; nil if there is no representation.
  /// - Returns: The value; nil if the transformer cannot read the representation or does not allow
  ///   reverse transformation.
  /// > Reference: Apple, reverseTransformedValue(_:). Apple's method raises an exception if reverse
  /// > transformation is not allowed.
  open func reverseTransformedValue(_ value: Any?) -> Any? {
    Self.allowsReverseTransformation() ? transformedValue(value) : nil
  }

  /// Registers a transformer under a name, and replaces any earlier transformer with this name.
  ///
  /// - Parameters:
  ///   - transformer: The transformer; nil removes the registered transformer.
  ///   - name: The name that models specify in `valueTransformerName`.
  /// > Concurrency: Usable on any thread.
  /// > Reference: Apple, setValueTransformer(_:forName:).
  public final class func setValueTransformer(
    _ transformer: ValueTransformer?, forName name: NSValueTransformerName
  ) {
    TransformerRegistry.set(transformer, for: name.rawValue)
  }

  /// Returns the names of all registered transformers, including the library's transformers, in
  /// alphabetical order.
  ///
  /// > Concurrency: Usable on any thread.
  /// > Reference: Apple, valueTransformerNames().
  public final class func valueTransformerNames() -> [NSValueTransformerName] {
    TransformerRegistry.names.sorted().map { NSValueTransformerName($0) }
  }
}

/// A protocol whose extension contains the initializer of ``ValueTransformer`` that returns a
/// registered transformer.
///
/// Only ``ValueTransformer`` conforms to this protocol.
public protocol TransformerRegistering {}

extension ValueTransformer: TransformerRegistering {}

extension TransformerRegistering {
  /// Returns the transformer that is registered under the given name; nil if there is no
  /// transformer, or if the transformer has a different type.
  ///
  /// If no transformer is registered under the name, the library searches for a class with this
  /// name that conforms to ``NamedValueTransformer``, and registers the transformer that the class
  /// creates.
  ///
  /// - Parameter name: The name that models specify in `valueTransformerName`.
  /// > Concurrency: Usable on any thread.
  /// > Reference: Apple, init(forName:). Differs: D-221.
  public init?(forName name: NSValueTransformerName) {
    guard let registered = TransformerRegistry.transformer(for: name.rawValue) as? Self else {
      return nil
    }
    self = registered
  }
}

/// A transformer that the library finds by the name of its class, without registration.
///
/// ```swift
/// extension ColorTransformer: NamedValueTransformer {
///   static func makeTransformer() -> ValueTransformer { ColorTransformer() }
/// }
/// ```
///
/// On Apple platforms, the Objective-C runtime finds any class by name.
///
/// This is an addition to Apple's API.
///
/// > Concurrency: Any thread may call ``makeTransformer()``.
public protocol NamedValueTransformer: ValueTransformer {
  /// Creates the transformer; the library calls this method when a model names the class.
  ///
  /// The name in the model may include the module of the class.
  static func makeTransformer() -> ValueTransformer
}
