internal import Foundation

// Values of Foundation other than collections, numbers, strings and bytes, by Apple's keys.

extension ArchivedObject {
  /// Returns the value of an object of one of Foundation's classes; nil for another class.
  ///
  /// - Parameter value: Reads the objects that this object contains.
  /// - Throws: `ModelError` with code `.malformed` for damaged data.
  func foundationStructure(
    _ value: (ArchivedValue) throws(ModelError) -> Any?
  ) throws(ModelError) -> Any? {
    /// Returns the value of a key as the given type; nil if there is no object.
    func part<Part>(_ key: String, _ type: Part.Type) throws(ModelError) -> Part? {
      guard let archived = try self.value(key), let part = try value(archived) else { return nil }
      guard let part = part as? Part else { throw mismatch(key) }
      return part
    }
    switch className {
    case "NSIndexSet", "NSMutableIndexSet": return try indexSet()
    case "NSIndexPath": return try indexPath()
    case "NSLocale": return Locale(identifier: try string("NS.identifier") ?? "")
    case "NSTimeZone", "__NSTimeZone": return try timeZone()
    case "NSCalendar", "__NSCalendar":
      return try calendar(part("NS.timezone", TimeZone.self), part("NS.locale", Locale.self))
    case "NSDateComponents":
      return try dateComponents(
        part("NS.calendar", Calendar.self), part("NS.timezone", TimeZone.self))
    case "NSDateInterval":
      guard let start = try part("NS.startDate", Date.self),
        let end = try part("NS.endDate", Date.self), start <= end
      else { throw mismatch("NS.endDate") }
      return DateInterval(start: start, end: end)
    case "NSMeasurement":
      guard let unit = try object("NS.unit")?.unit(), let number = try real("NS.value") else {
        throw mismatch("NS.unit")
      }
      return NSMeasurement(doubleValue: number, unit: unit)
    case "NSError":
      guard let domain = try string("NSDomain"), let code = try integer("NSCode") else {
        throw mismatch("NSCode")
      }
      return NSError(
        domain: domain, code: code, userInfo: try part("NSUserInfo", [String: Any].self))
    case "NSValue", "NSConcreteValue": return try structure()
    default: return try unit()
    }
  }

  /// Returns the members under numbered keys, such as those of an ordered set.
  func numberedMembers() throws(ModelError) -> [ArchivedValue] {
    if let members = try members() { return members }
    let places = archive.places(in: reference)
    var members: [ArchivedValue] = []
    while let place = places["NS.object.\(members.count)"] {
      members.append(try archive.value(at: place))
    }
    return members
  }

  /// Returns the number of a key as a real number; nil if the key is absent.
  func real(_ key: String) throws(ModelError) -> Double? {
    switch try value(key) {
    case .real(let number)?: number
    case nil, .null?: nil
    default: try integer(key).map(Double.init)
    }
  }

  private func bytes(_ key: String) throws(ModelError) -> Data {
    switch try value(key) {
    case .data(let data)?: return data
    case .object(let object)?:
      if case .data(let data)? = try object.value("NS.data") { return data }
      fallthrough
    default: throw mismatch(key)
    }
  }

  // MARK: Indexes

  private func indexSet() throws(ModelError) -> IndexSet {
    let numbers: [Int]
    switch try integer("NSRangeCount") ?? 0 {
    case 0: numbers = []
    case 1: numbers = [try integer("NSLocation") ?? -1, try integer("NSLength") ?? -1]
    default: numbers = PackedIntegers.integers(in: try bytes("NSRangeData")) ?? [-1]
    }
    var indexes = IndexSet()
    for place in stride(from: 0, to: numbers.count, by: 2) {
      let (start, length) = (numbers[place], place + 1 < numbers.count ? numbers[place + 1] : -1)
      guard start >= 0, length > 0, start < Int.max - length else { throw mismatch("NSRangeData") }
      indexes.insert(integersIn: start..<(start + length))
    }
    return indexes
  }

  private func indexPath() throws(ModelError) -> IndexPath {
    switch try integer("NSIndexPathLength") ?? 0 {
    case 0: return IndexPath()
    case 1: return IndexPath(index: try integer("NSIndexPathValue") ?? 0)
    case let length:
      guard let indexes = PackedIntegers.integers(in: try bytes("NSIndexPathData")),
        indexes.count == length
      else { throw mismatch("NSIndexPathData") }
      return IndexPath(indexes: indexes)
    }
  }

  // MARK: Time

  private func timeZone() throws(ModelError) -> TimeZone {
    guard let name = try string("NS.name"), let zone = TimeZone(identifier: name) else {
      throw mismatch("NS.name")
    }
    return zone
  }

  private func calendar(_ zone: TimeZone?, _ locale: Locale?) throws(ModelError) -> Calendar {
    guard let name = try string("NS.identifier"),
      let calendar = NSCalendar(identifier: NSCalendar.Identifier(rawValue: name))
    else { throw mismatch("NS.identifier") }
    if let zone { calendar.timeZone = zone }
    if let locale { calendar.locale = locale }
    if let day = try weekday("NS.firstwkdy") { calendar.firstWeekday = day }
    if let days = try weekday("NS.mindays") { calendar.minimumDaysInFirstWeek = days }
    return calendar as Calendar
  }

  /// Returns the number for a key; throws if the number is not from 1 to 7, because Foundation
  /// traps for some other numbers.
  private func weekday(_ key: String) throws(ModelError) -> Int? {
    guard let number = try integer(key) else { return nil }
    guard (1...7).contains(number) else { throw mismatch(key) }
    return number
  }

  private func dateComponents(
    _ calendar: Calendar?, _ zone: TimeZone?
  ) throws(ModelError) -> DateComponents {
    let components = NSDateComponents()
    components.calendar = calendar
    components.timeZone = zone
    for (key, unit) in ArchivedUnits.calendarUnits {
      guard let number = try integer(key), number != NSDateComponentUndefined else { continue }
      components.setValue(number, forComponent: unit)
    }
    if try flag("NS.isLeapMonth") { components.isLeapMonth = true }
    var value = components as DateComponents
    if let day = try integer("NS.dayOfYear") { value.dayOfYear = day }
    return value
  }

  // MARK: Measurements

  /// Returns the unit that the object represents; nil for an object of another class.
  private func unit() throws(ModelError) -> Unit? {
    let symbol = try string("NS.symbol")
    if className == "NSUnit", let symbol { return Unit(symbol: symbol) }
    guard let type = ArchivedUnits.dimension(named: className) else { return nil }
    guard let symbol, let scale = try object("NS.converter", of: "NSUnitConverterLinear"),
      let coefficient = try scale.real("NS.coefficient")
    else { throw mismatch("NS.converter") }
    let converter = UnitConverterLinear(
      coefficient: coefficient, constant: try scale.real("NS.constant") ?? 0)
    return type.init(symbol: symbol, converter: converter)
  }

  // MARK: Structures

  private func structure() throws(ModelError) -> NSValue? {
    guard let number = try integer("NS.special"), let kind = ArchivedStructure(rawValue: number)
    else { return nil }
    if kind == .range {
      guard let location = try integer("NS.rangeval.location"),
        let length = try integer("NS.rangeval.length")
      else { throw mismatch("NS.rangeval.length") }
      return NSValue(range: NSRange(location: location, length: length))
    }
    guard let text = try string(kind.key),
      let numbers = ArchivedNumbers(text, count: kind == .rect ? 4 : 2)?.numbers
    else { throw mismatch(kind.key) }
    switch kind {
    case .point: return NSValue(point: CGPoint(x: numbers[0], y: numbers[1]))
    case .size: return NSValue(size: CGSize(width: numbers[0], height: numbers[1]))
    default:
      return NSValue(
        rect: CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]))
    }
  }
}
