import Foundation

/// A value of a report, which becomes JSON.
public enum ReportValue: Sendable, Equatable, Encodable {
  /// No value.
  case null
  /// A text.
  case text(String)
  /// A whole number.
  case number(Int)
  /// A number with a fraction.
  case fraction(Double)
  /// A flag.
  case flag(Bool)
  /// A list.
  case list([ReportValue])
  /// Values by name.
  case object([String: ReportValue])

  /// Writes the value.
  ///
  /// - Parameter encoder: Where to write.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .text(let text): try container.encode(text)
    case .number(let number): try container.encode(number)
    case .fraction(let number): try container.encode(number)
    case .flag(let flag): try container.encode(flag)
    case .list(let values): try container.encode(values)
    case .object(let values): try container.encode(values)
    }
  }

  static func text(_ text: String?) -> ReportValue { text.map { .text($0) } ?? .null }
  static func number(_ number: Int?) -> ReportValue { number.map { .number($0) } ?? .null }
  static func fraction(_ number: Double?) -> ReportValue { number.map { .fraction($0) } ?? .null }
  static func flag(_ flag: Bool?) -> ReportValue { flag.map { .flag($0) } ?? .null }
  static func texts(_ texts: [String]) -> ReportValue { .list(texts.map { .text($0) }) }

  /// An instant in UTC.
  static func instant(_ date: Date?) -> ReportValue {
    guard let date else { return .null }
    return .text(date.formatted(.iso8601))
  }
}
