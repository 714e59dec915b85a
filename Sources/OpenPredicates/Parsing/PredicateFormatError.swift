public import Foundation

/// Why a predicate cannot be made or used, with the place in its format string.
///
/// Values of arguments are never part of the message.
public struct PredicateFormatError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
  /// The kind of a failure; its numbers never change.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The stable number.
    public let rawValue: Int

    /// Creates a code from its number.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// The grammar does not allow the token at this position.
    public static let unexpectedToken = Code(rawValue: 1)
    /// The format ends in the middle of a predicate.
    public static let unexpectedEnd = Code(rawValue: 2)
    /// A character that begins no token.
    public static let unexpectedCharacter = Code(rawValue: 3)
    /// A string without its closing quote.
    public static let unterminatedString = Code(rawValue: 4)
    /// A number with malformed digits.
    public static let invalidNumber = Code(rawValue: 5)
    /// A function name that is not known.
    public static let unknownFunction = Code(rawValue: 6)
    /// A function with too few or too many operands.
    public static let wrongOperandCount = Code(rawValue: 7)
    /// Fewer arguments than the format has specifiers.
    public static let missingArgument = Code(rawValue: 8)
    /// More arguments than the format has specifiers.
    public static let extraArgument = Code(rawValue: 9)
    /// An argument whose type does not fit its specifier.
    public static let unsuitableArgument = Code(rawValue: 10)
    /// A `%` followed by a letter that is not a specifier.
    public static let unknownSpecifier = Code(rawValue: 11)
    /// Nesting beyond the limit.
    public static let tooDeep = Code(rawValue: 12)
    /// A format beyond the limit of length.
    public static let tooLong = Code(rawValue: 13)
    /// A regular expression that does not compile.
    public static let invalidRegularExpression = Code(rawValue: 14)
    /// Syntax of Apple's that this library does not support.
    public static let unsupportedSyntax = Code(rawValue: 15)
    /// A key path with an empty step.
    public static let invalidKeyPath = Code(rawValue: 16)
    /// A collection operator that is not known.
    public static let unknownCollectionOperator = Code(rawValue: 17)
    /// An argument list that `getVaList` of this module did not make.
    public static let unknownArgumentList = Code(rawValue: 18)
    /// A regular expression that takes too many steps for a text.
    public static let costlyRegularExpression = Code(rawValue: 19)
  }

  /// What is known of the failure.
  private struct Facts: Sendable, Hashable {
    var code: Code
    var message: String
    var format: String?
    var position: Int?
    var expectation: String?
  }

  /// The facts behind a reference: each nested call of the parser has room for an error.
  private indirect enum Box: Sendable, Hashable {
    case facts(Facts)
  }

  private let box: Box

  private var facts: Facts {
    switch box {
    case .facts(let facts): facts
    }
  }

  /// The kind of the failure.
  public var code: Code { facts.code }
  /// The problem, in one sentence.
  public var message: String { facts.message }
  /// The format string, when there is one.
  public var format: String? { facts.format }
  /// The position in the format, as an offset in UTF-8 bytes.
  public var position: Int? { facts.position }
  /// The line of the position, from 1.
  public var line: Int? {
    beginning.map { text in 1 + text.count { $0 == Self.newline } }
  }
  /// The column of the position in Unicode scalars, from 1.
  public var column: Int? {
    beginning.map { text in
      1 + text.reversed().prefix { $0 != Self.newline }.count { $0 & 0xC0 != 0x80 }
    }
  }
  /// The expected tokens, if they are known.
  public var expectation: String? { facts.expectation }

  /// Creates an error; line and column follow from the format and the position.
  ///
  /// - Parameters:
  ///   - code: The kind of the failure.
  ///   - message: The problem, in one sentence without values of arguments.
  ///   - format: The format string, if there is one.
  ///   - position: The offset in the format, in UTF-8 bytes.
  ///   - expectation: The expected tokens.
  public init(
    code: Code, message: String, format: String? = nil, position: Int? = nil,
    expectation: String? = nil
  ) {
    box = .facts(
      Facts(
        code: code, message: message, format: format, position: position, expectation: expectation))
  }

  private static let newline = UInt8(ascii: "\n")

  /// The format up to the position.
  private var beginning: Substring.UTF8View? {
    guard let format, let position else { return nil }
    return format.utf8.prefix(position)
  }

  /// The message with the position and the expected tokens.
  public var description: String {
    var text = message
    if let expectation { text += " Expected \(expectation)." }
    if let line, let column { text += " (line \(line), column \(column))" }
    return text
  }

  /// The text of `localizedDescription`, with all facts.
  public var errorDescription: String? { description }
}
