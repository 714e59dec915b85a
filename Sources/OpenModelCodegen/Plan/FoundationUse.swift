/// Determines whether the public declarations of generated classes use types of Foundation.
///
/// Swift warns about a public import that no public declaration uses, and rejects a public
/// declaration whose type is not imported publicly. Only the names of attributes' custom classes
/// are known, so this type contains the names of Foundation's types.
struct FoundationUse {
  private let classNames: Set<String>

  /// Creates the value.
  ///
  /// - Parameter classNames: The classes of the model, which hide types of Foundation.
  init(besides classNames: Set<String>) { self.classNames = classNames }

  /// Returns whether a class needs Foundation.
  func isIn(_ managedClass: ClassPlan.ManagedClass) -> Bool {
    // The methods of to-many relationships have sets as parameters.
    !managedClass.collections.isEmpty || managedClass.properties.contains { isIn($0.type) }
  }

  /// Returns whether a type needs Foundation.
  func isIn(_ type: String) -> Bool {
    type.split { !($0.isLetter || $0.isNumber || $0 == "_") }.contains { isFoundation(String($0)) }
  }

  private func isFoundation(_ name: String) -> Bool {
    if name == "Foundation" { return true }
    if classNames.contains(name) || name.hasPrefix("NSManaged") { return false }
    return name.hasPrefix("NS") || Self.types.contains(name)
  }

  /// The types of Foundation that can be an attribute's custom class, except those with the prefix
  /// `NS`.
  private static let types: Set<String> = [
    "AffineTransform", "AttributeContainer", "AttributedString", "AttributedSubstring", "Bundle",
    "ByteCountFormatter", "CGFloat", "CGPoint", "CGRect", "CGSize", "Calendar", "CharacterSet",
    "CocoaError", "Data", "Date", "DateComponents", "DateFormatter", "DateInterval", "Decimal",
    "Dimension", "Formatter", "IndexPath", "IndexSet", "JSONDecoder", "JSONEncoder", "Locale",
    "Measurement", "Morphology", "Notification", "NumberFormatter", "Operation",
    "PersonNameComponents", "POSIXError", "Predicate", "PredicateExpressions", "Progress",
    "SortDescriptor", "Stream", "TermOfAddress", "Thread", "TimeInterval", "TimeZone", "URL",
    "URLComponents", "URLError", "URLQueryItem", "URLResourceValues", "UUID", "Unit",
    "UnitAcceleration", "UnitAngle", "UnitArea", "UnitConcentrationMass", "UnitDispersion",
    "UnitDuration", "UnitElectricCharge", "UnitElectricCurrent",
    "UnitElectricPotentialDifference", "UnitElectricResistance", "UnitEnergy", "UnitFrequency",
    "UnitFuelEfficiency", "UnitIlluminance", "UnitInformationStorage", "UnitLength", "UnitMass",
    "UnitPower", "UnitPressure", "UnitSpeed", "UnitTemperature", "UnitVolume", "UserDefaults",
  ]
}
