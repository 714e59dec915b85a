internal import Foundation

/// The kinds of structures in an archived `NSValue`; archives contain the raw values.
enum ArchivedStructure: Int {
  case point = 1
  case size = 2
  case rect = 3
  case range = 4

  /// The key of the structure's string.
  var key: String {
    switch self {
    case .point: "NS.pointval"
    case .size: "NS.sizeval"
    case .rect: "NS.rectval"
    case .range: "NS.rangeval"
    }
  }
}

/// The numbers of a geometric structure, and their string `{1, 2}` or `{{1, 2}, {3, 4}}`.
struct ArchivedNumbers {
  let numbers: [Double]

  init(_ point: CGPoint) { numbers = [Double(point.x), Double(point.y)] }
  init(_ size: CGSize) { numbers = [Double(size.width), Double(size.height)] }
  init(_ rect: CGRect) {
    numbers = ArchivedNumbers(rect.origin).numbers + ArchivedNumbers(rect.size).numbers
  }

  /// Reads the numbers in a string; nil if the string has another form.
  init?(_ text: String, count: Int) {
    let parts = text.split { "{}, ".contains($0) }
    let numbers = parts.compactMap { Double($0) }
    guard parts.count == count, numbers.count == count else { return nil }
    self.numbers = numbers
  }

  var text: String {
    let pairs = stride(from: 0, to: numbers.count, by: 2).map {
      "{\(numbers[$0]), \(numbers[$0 + 1])}"
    }
    return pairs.count == 1 ? pairs[0] : "{" + pairs.joined(separator: ", ") + "}"
  }
}

/// Integers in as few bytes as possible, seven bits each, as in archived index sets and index
/// paths.
enum PackedIntegers {
  static func data(of integers: [Int]) -> Data {
    var bytes: [UInt8] = []
    for integer in integers {
      var rest = UInt(bitPattern: integer)
      while rest > 0x7F {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(truncatingIfNeeded: rest))
    }
    return Data(bytes)
  }

  /// Returns the integers in bytes; nil if the last integer is incomplete or an integer exceeds 64
  /// bits.
  static func integers(in data: Data) -> [Int]? {
    var integers: [Int] = []
    var integer: UInt = 0
    var shift: UInt = 0
    for byte in data {
      guard shift < 64 else { return nil }
      integer |= UInt(byte & 0x7F) << shift
      shift += 7
      if byte & 0x80 != 0 { continue }
      integers.append(Int(bitPattern: integer))
      (integer, shift) = (0, 0)
    }
    return shift == 0 ? integers : nil
  }
}

/// The units that archives name: units of measurements by class, units of dates by key.
enum ArchivedUnits {
  static let calendarUnits: [(key: String, unit: NSCalendar.Unit)] = [
    ("NS.era", .era), ("NS.year", .year), ("NS.quarter", .quarter), ("NS.month", .month),
    ("NS.day", .day), ("NS.hour", .hour), ("NS.minute", .minute), ("NS.second", .second),
    ("NS.nanosec", .nanosecond), ("NS.weekday", .weekday),
    ("NS.weekdayOrdinal", .weekdayOrdinal), ("NS.weekOfMonth", .weekOfMonth),
    ("NS.weekOfYear", .weekOfYear), ("NS.yearForWOY", .yearForWeekOfYear),
  ]

  private static let dimensions: [(name: String, type: Dimension.Type)] = [
    ("NSUnitAcceleration", UnitAcceleration.self), ("NSUnitAngle", UnitAngle.self),
    ("NSUnitArea", UnitArea.self), ("NSUnitConcentrationMass", UnitConcentrationMass.self),
    ("NSUnitDispersion", UnitDispersion.self), ("NSUnitDuration", UnitDuration.self),
    ("NSUnitElectricCharge", UnitElectricCharge.self),
    ("NSUnitElectricCurrent", UnitElectricCurrent.self),
    ("NSUnitElectricPotentialDifference", UnitElectricPotentialDifference.self),
    ("NSUnitElectricResistance", UnitElectricResistance.self), ("NSUnitEnergy", UnitEnergy.self),
    ("NSUnitFrequency", UnitFrequency.self), ("NSUnitFuelEfficiency", UnitFuelEfficiency.self),
    ("NSUnitIlluminance", UnitIlluminance.self),
    ("NSUnitInformationStorage", UnitInformationStorage.self), ("NSUnitLength", UnitLength.self),
    ("NSUnitMass", UnitMass.self), ("NSUnitPower", UnitPower.self),
    ("NSUnitPressure", UnitPressure.self), ("NSUnitSpeed", UnitSpeed.self),
    ("NSUnitTemperature", UnitTemperature.self), ("NSUnitVolume", UnitVolume.self),
  ]

  /// Returns the name of a class of units; nil for a class of the application.
  static func name(of type: Dimension.Type) -> String? {
    dimensions.first { $0.type == type }?.name
  }

  /// Returns the class of units with the given name; nil if the name is unknown.
  static func dimension(named name: String) -> Dimension.Type? {
    dimensions.first { $0.name == name }?.type
  }
}
