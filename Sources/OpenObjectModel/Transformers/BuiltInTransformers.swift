internal import Foundation

/// Turns Boolean values into their opposite, for `NSNegateBoolean`.
final class NegatingTransformer: ValueTransformer {
  override class func transformedValueClass() -> AnyClass { NSNumber.self }

  override func transformedValue(_ value: Any?) -> Any? {
    !((value as? NSNumber)?.boolValue ?? false)
  }
}

/// Tells whether a value is nil, for `NSIsNil` and `NSIsNotNil`.
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

/// Reads keyed archives of Foundation's values, for the names from before secure coding.
///
/// Apple's transformers of these names make objects of any class that an archive names, which is what an attack needs.
final class UnarchivingTransformer: ValueTransformer {
  override func transformedValue(_ value: Any?) -> Any? {
    // The protocol of transformers knows no errors, only nil.
    (value as? Data).flatMap { try? ValueArchive.value(in: $0) }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    value.flatMap { try? ValueArchive.data(of: $0) }  // As above.
  }
}
