public import Foundation

/// Turns a value into another representation, and back if it can.
///
/// A transformable attribute whose `valueTransformerName` names a registered transformer stores the transformed
/// values. The transformer turns a value into `Data` in ``transformedValue(_:)`` and data into a value in
/// ``reverseTransformedValue(_:)``; a subclass of ``NSSecureUnarchiveFromDataTransformer`` works the other way round.
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
/// > Concurrency: Contexts call a transformer on their queues, several at a time. A transformer therefore must not
/// > change its own state.
/// > Reference: Apple, ValueTransformer.
open class ValueTransformer: NSObject {
  /// Creates a transformer.
  public override init() { super.init() }

  /// The class of the values that ``transformedValue(_:)`` returns.
  ///
  /// - Returns: The class of the values that ``transformedValue(_:)`` returns.
  /// > Reference: Apple, transformedValueClass().
  open class func transformedValueClass() -> AnyClass { NSObject.self }

  /// Whether ``reverseTransformedValue(_:)`` works; true unless a subclass overrides it.
  ///
  /// - Returns: `true` if ``reverseTransformedValue(_:)`` works.
  /// > Reference: Apple, allowsReverseTransformation().
  open class func allowsReverseTransformation() -> Bool { true }

  /// The transformed representation of a value; the value itself unless a subclass overrides the method.
  ///
  /// - Parameter value: The value; nil for none.
  /// - Returns: nil for a value that the transformer cannot transform.
  /// > Reference: Apple, transformedValue(_:).
  open func transformedValue(_ value: Any?) -> Any? { value }

  /// The value of a transformed representation.
  ///
  /// - Parameter value: The result of ``transformedValue(_:)``.
  /// - Returns: The value; nil if the transformer cannot read the representation, or does not allow reverse
  ///   transformation.
  /// > Reference: Apple, reverseTransformedValue(_:). Apple's raises an exception if reverse transformation is not allowed.
  open func reverseTransformedValue(_ value: Any?) -> Any? {
    Self.allowsReverseTransformation() ? transformedValue(value) : nil
  }

  /// Registers a transformer under a name, and replaces an earlier one.
  ///
  /// - Parameters:
  ///   - transformer: The transformer; nil removes the registered one.
  ///   - name: The name, as in `valueTransformerName`.
  /// > Concurrency: Any thread.
  /// > Reference: Apple, setValueTransformer(_:forName:).
  public final class func setValueTransformer(
    _ transformer: ValueTransformer?, forName name: NSValueTransformerName
  ) {
    TransformerRegistry.set(transformer, for: name.rawValue)
  }

  /// The names of all registered transformers, including those of the library, in alphabetical order.
  ///
  /// - Returns: The names of all registered transformers, including those of the library, in alphabetical order.
  /// > Concurrency: Any thread.
  /// > Reference: Apple, valueTransformerNames().
  public final class func valueTransformerNames() -> [NSValueTransformerName] {
    TransformerRegistry.names.sorted().map { NSValueTransformerName($0) }
  }
}

/// The initializer of ``ValueTransformer`` that returns a registered transformer instead of a new one.
///
/// Only ``ValueTransformer`` conforms.
public protocol TransformerRegistering {}

extension ValueTransformer: TransformerRegistering {}

extension TransformerRegistering {
  /// The transformer that is registered under a name.
  ///
  /// If there is none, the class of this name creates one, if it conforms to ``NamedValueTransformer``.
  ///
  /// - Parameter name: The name.
  /// > Concurrency: Any thread.
  /// > Reference: Apple, init(forName:). Differs: D-221.
  public init?(forName name: NSValueTransformerName) {
    guard let registered = TransformerRegistry.transformer(for: name.rawValue) as? Self else {
      return nil
    }
    self = registered
  }
}

/// A transformer whose class is found by its name, without registration.
///
/// ```swift
/// extension ColorTransformer: NamedValueTransformer {
///   static func makeTransformer() -> ValueTransformer { ColorTransformer() }
/// }
/// ```
///
/// > Concurrency: Any thread.
/// > Reference: Addition; on Apple platforms the Objective-C runtime can instantiate any class.
public protocol NamedValueTransformer: ValueTransformer {
  /// Creates the transformer that is registered under the name of the class, with or without its module.
  static func makeTransformer() -> ValueTransformer
}
