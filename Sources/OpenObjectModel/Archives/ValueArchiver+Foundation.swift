internal import Foundation

// Values of Foundation other than collections, numbers, strings and bytes, with Apple's keys.

extension ValueArchiver {
  /// Writes an object of one of Foundation's classes and returns its reference.
  ///
  /// - Throws: `ModelError` with code `.unarchivable` for an object of any other class.
  func foundation(_ object: NSObject) throws(ModelError) -> Int {
    switch object {
    case is NSNull: archive.add(plain: "NSNull")
    case let indexes as NSIndexSet: indexSet(IndexSet(indexes))
    case let path as NSIndexPath: indexPath(path)
    case let locale as NSLocale:
      archive.add(
        "NSLocale", [("NS.identifier", .reference(archive.add((locale as Locale).identifier)))])
    case let zone as NSTimeZone: try timeZone(zone)
    case let calendar as NSCalendar: try self.calendar(calendar)
    case let components as NSDateComponents: try dateComponents(components)
    case let interval as NSDateInterval:
      archive.add(
        "NSDateInterval",
        [
          ("NS.startDate", .reference(try reference(to: interval.startDate))),
          ("NS.endDate", .reference(try reference(to: interval.endDate))),
        ])
    case let measurement as NSMeasurement:
      archive.add(
        "NSMeasurement",
        [
          ("NS.value", .real(measurement.doubleValue)),
          ("NS.unit", .reference(try unit(measurement.unit))),
        ])
    case let unit as Unit: try self.unit(unit)
    case let error as NSError: try self.error(error)
    case let value as NSValue: try structure(value)
    default: throw Self.unsupported(object)
    }
  }

  // MARK: Indexes

  private func indexSet(_ indexes: IndexSet) -> Int {
    let ranges = indexes.rangeView.map { $0 }
    var entries: [(key: String, entry: KeyedArchiveWriter.Entry?)] = [
      ("NSRangeCount", .int(ranges.count))
    ]
    if ranges.count == 1 {
      entries.append(("NSLocation", .int(ranges[0].lowerBound)))
      entries.append(("NSLength", .int(ranges[0].count)))
    } else if ranges.count > 1 {
      let bytes = archive.add(
        scalar: .data(PackedIntegers.data(of: ranges.flatMap { [$0.lowerBound, $0.count] })))
      entries.append(("NSRangeData", .reference(bytes)))
    }
    return archive.add("NSIndexSet", entries)
  }

  private func indexPath(_ path: NSIndexPath) -> Int {
    let indexes = (0..<path.length).map { path.index(atPosition: $0) }
    var entries: [(key: String, entry: KeyedArchiveWriter.Entry?)] = [
      ("NSIndexPathLength", .int(indexes.count))
    ]
    if indexes.count == 1 {
      entries.append(("NSIndexPathValue", .int(indexes[0])))
    } else if indexes.count > 1 {
      let bytes = archive.add(scalar: .data(PackedIntegers.data(of: indexes)))
      entries.append(("NSIndexPathData", .reference(bytes)))
    }
    return archive.add("NSIndexPath", entries)
  }

  // MARK: Time

  private func timeZone(_ zone: NSTimeZone) throws(ModelError) -> Int {
    guard TimeZone(identifier: zone.name) != nil else {
      throw .unarchivableValue(
        "The time zone \(zone.name) cannot be archived, because its name does not identify a time zone."
      )
    }
    return archive.add("NSTimeZone", [("NS.name", .reference(archive.add(zone.name)))])
  }

  private func calendar(_ calendar: NSCalendar) throws(ModelError) -> Int {
    let zone = try reference(to: calendar.timeZone)
    let locale = try reference(to: calendar.locale)
    return archive.add(
      "NSCalendar",
      [
        ("NS.identifier", .reference(archive.add(calendar.calendarIdentifier.rawValue))),
        ("NS.timezone", .reference(zone)), ("NS.locale", .reference(locale)),
        ("NS.firstwkdy", .int(calendar.firstWeekday)),
        ("NS.mindays", .int(calendar.minimumDaysInFirstWeek)),
      ])
  }

  private func dateComponents(_ components: NSDateComponents) throws(ModelError) -> Int {
    let calendar = try reference(to: components.calendar)
    let zone = try reference(to: components.timeZone)
    var entries: [(key: String, entry: KeyedArchiveWriter.Entry?)] = [
      ("NS.calendar", .reference(calendar)), ("NS.timezone", .reference(zone)),
      ("NS.isLeapMonth", .bool(components.isLeapMonth)),
    ]
    for (key, unit) in ArchivedUnits.calendarUnits {
      entries.append((key, .int(components.value(forComponent: unit))))
    }
    // Foundation's class has no accessor for this component.
    if let day = (components as DateComponents).dayOfYear {
      entries.append(("NS.dayOfYear", .int(day)))
    }
    return archive.add("NSDateComponents", entries)
  }

  // MARK: Errors

  private func error(_ error: NSError) throws(ModelError) -> Int {
    guard type(of: error) == NSError.self else { throw Self.unsupported(error) }
    // An underlying Swift error is not an object.
    let userInfo = error.userInfo.mapValues { value -> Any in
      if let error = value as? any Error { error as NSError } else { value }
    }
    let reference = try reference(to: userInfo)
    return archive.add(
      "NSError",
      [
        ("NSDomain", .reference(archive.add(error.domain))), ("NSCode", .int(error.code)),
        ("NSUserInfo", .reference(reference)),
      ])
  }

  // MARK: Measurements

  private func unit(_ unit: Unit) throws(ModelError) -> Int {
    let symbol = archive.add(unit.symbol)
    guard let dimension = unit as? Dimension else {
      guard type(of: unit) == Unit.self else { throw Self.unsupported(unit) }
      return archive.add("NSUnit", [("NS.symbol", .reference(symbol))])
    }
    guard let name = ArchivedUnits.name(of: type(of: dimension)),
      let converter = dimension.converter as? UnitConverterLinear
    else { throw Self.unsupported(unit) }
    let scale = archive.add(
      "NSUnitConverterLinear",
      [
        ("NS.coefficient", .real(converter.coefficient)),
        ("NS.constant", .real(converter.constant)),
      ])
    return archive.add(
      name, [("NS.symbol", .reference(symbol)), ("NS.converter", .reference(scale))])
  }

  // MARK: Structures

  /// Writes a range or a geometric structure in an `NSValue`.
  private func structure(_ value: NSValue) throws(ModelError) -> Int {
    switch value.objCType.pointee == Int8(bitPattern: UInt8(ascii: "{"))
      ? String(cString: value.objCType) : ""
    {
    case "{_NSRange=QQ}":
      let location = archive.add(scalar: .int(Int64(value.rangeValue.location)))
      let length = archive.add(scalar: .int(Int64(value.rangeValue.length)))
      return archive.add(
        "NSValue",
        [
          ("NS.special", .int(ArchivedStructure.range.rawValue)),
          ("NS.rangeval.location", .reference(location)),
          ("NS.rangeval.length", .reference(length)),
        ])
    case "{CGPoint=dd}": return structure(.point, .init(value.pointValue))
    case "{CGSize=dd}": return structure(.size, .init(value.sizeValue))
    case "{CGRect={CGPoint=dd}{CGSize=dd}}": return structure(.rect, .init(value.rectValue))
    default: throw Self.unsupported(value)
    }
  }

  private func structure(_ kind: ArchivedStructure, _ numbers: ArchivedNumbers) -> Int {
    archive.add(
      "NSValue",
      [
        ("NS.special", .int(kind.rawValue)),
        (kind.key, .reference(archive.add(numbers.text))),
      ])
  }
}
