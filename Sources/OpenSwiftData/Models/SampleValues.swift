internal import Foundation
internal import OpenPredicates

/// Values that distinguish a property from a value that is computed from the property.
enum SampleValues {
  /// Returns different values of a type, the last of which is not `nil`; `nil` for a type without
  /// samples.
  ///
  /// The values include empty and long values, which computed properties often replace.
  static func values(of type: any Any.Type) -> [Any]? {
    if let optional = type as? any OptionalWrapping.Type {
      return values(of: optional.wrappedType).map { [Any?.none as Any] + $0 }
    }
    if let integers = type as? any FixedWidthInteger.Type { return self.integers(of: integers) }
    if type == String.self {
      return ["", " aBé 1 ", String(repeating: "Long ", count: 20_000), "zY-2"]
    }
    if type == Double.self { return [0.0, -7.25, 1_003.5] }
    if type == Float.self { return [Float(0), Float(-7.25), Float(1_003.5)] }
    if type == Decimal.self { return [Decimal(0), Decimal(-7), Decimal(1_003)] }
    if type == Bool.self { return [true, false] }
    if type == Date.self {
      return [0, -7.25, 1_003.5, 1e9].map { Date(timeIntervalSinceReferenceDate: $0) }
    }
    if type == UUID.self { return [UUID(), UUID()] }
    if type == Data.self { return [Data(), Data([1, 2]), Data(repeating: 255, count: 500)] }
    if type == URL.self { return [URL(filePath: "/a"), URL(filePath: "/b c")] }
    let cases = cases(of: type)
    return cases.isEmpty ? nil : cases
  }

  private static func integers<Integer: FixedWidthInteger>(of type: Integer.Type) -> [Any] {
    [
      Integer(0), Integer(clamping: Integer.isSigned ? -7 : 5), Integer(exactly: 1_003) ?? 103,
    ]
  }

  /// Returns the cases of an enumeration without associated values.
  private static func cases(of type: any Any.Type) -> [Any] {
    func all<Cases: CaseIterable>(_ type: Cases.Type) -> [Any] { type.allCases.map { $0 as Any } }
    func plain<Value>(_ type: Value.Type) -> [Any] {
      (TypeFields(of: type)?.fields ?? []).indices.compactMap { number in
        Placeholder.plainCase(number, of: type).map { $0 as Any }
      }
    }
    if let cases = type as? any CaseIterable.Type { return all(cases) }
    return _openExistential(type, do: plain)
  }
}
