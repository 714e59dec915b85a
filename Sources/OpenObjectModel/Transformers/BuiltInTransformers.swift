internal import Foundation

/// Converts a Boolean value to its opposite, for `NSNegateBoolean`.
final class NegatingTransformer: ValueTransformer {
  override class func transformedValueClass() -> AnyClass { NSNumber.self }

  override func transformedValue(_ value: Any?) -> Any? {
    !((value as? NSNumber)?.boolValue ?? false)
  }
}

/// Tests whether a value is nil, for `NSIsNil` and `NSIsNotNil`.
final class NilTransformer: ValueTransformer {
  private let isNilTrue: Bool

  init(isNilTrue: Bool) {
    self.isNilTrue = isNilTrue
    super.init()
  }

  override class func transformedValueClass() -> AnyClass { NSNumber.self }
  override class func allowsReverseTransformation() -> Bool { false }

  override func transformedValue(_ value: Any?) -> Any? {
    (value == nil || value is NSNull) == isNilTrue
  }
}

/// Reads keyed archives of Foundation values, for the transformer names that predate secure coding.
///
/// Apple's transformers with these names instantiate every class that an archive names, which makes
/// attacks possible.
final class UnarchivingTransformer: ValueTransformer {
  override func transformedValue(_ value: Any?) -> Any? {
    // Transformers report errors only as nil.
    (value as? Data).flatMap { try? ValueArchive.value(in: $0) }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    value.flatMap { try? ValueArchive.data(of: $0) }  // As above.
  }
}
