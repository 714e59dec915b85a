/// The flags of a property, which archives repeat in one integer.
struct PropertyFlags {
  let isOptional: Bool
  let isTransient: Bool
  let isReadOnly: Bool
  /// The integer under the key `_P`.
  let word: Int

  init(_ property: NSPropertyDescription) {
    isOptional = property.isOptional
    isTransient = property.isTransient || property is NSFetchedPropertyDescription
    isReadOnly = Self.isComputed(property)
    let isOrdered = (property as? NSRelationshipDescription)?.isOrdered ?? false
    let isEncrypted = (property as? NSAttributeDescription)?.allowsCloudEncryption ?? false
    let bits: [(Bool, Int)] = [
      (true, 0x1), (isOptional, 0x2), (isReadOnly, 0x4), (isTransient, 0x8),
      (property.validationPredicates.isEmpty, 0x10), (property.validationWarnings.isEmpty, 0x20),
      (property.userInfo?.isEmpty ?? true, 0x40), (property.versionHashModifier == nil, 0x80),
      (property.isIndexedBySpotlight, 0x100), (isOrdered, 0x400), (isEncrypted, 0x800),
    ]
    word = bits.reduce(0) { $1.0 ? $0 | $1.1 : $0 }
  }

  private static func isComputed(_ property: NSPropertyDescription) -> Bool {
    property is NSDerivedAttributeDescription || property is NSFetchedPropertyDescription
      || property is NSExpressionDescription
  }
}
