import Foundation

/// A value of a report, encoded as JSON.
public enum ReportValue: Sendable, Equatable, Encodable {
  /// No value.
  case null
  /// A text.
  case text(String)
  /// An integer.
  case number(Int)
  /// A floating-point number.
  case fraction(Double)
  /// A Boolean.
  case flag(Bool)
  /// A list.
  case list([ReportValue])
  /// Values by name.
  case object([String: ReportValue])

  /// Encodes the value.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: Any error of the encoder.
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

  /// Returns an instant as text in UTC.
  static func instant(_ date: Date?) -> ReportValue {
    guard let date else { return .null }
    return .text(date.formatted(.iso8601))
  }
}
