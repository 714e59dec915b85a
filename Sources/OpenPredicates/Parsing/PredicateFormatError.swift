public import Foundation

/// An error in a predicate's format, Swift expression or regular expression.
///
/// If the predicate has a format, the error contains the position in the format. The message never
/// contains values of arguments.
public struct PredicateFormatError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
  /// A stable number that identifies the kind of error.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The number that identifies the kind of error.
    public let rawValue: Int

    /// Creates a code from its number.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// The grammar does not allow the token at this position.
    public static let unexpectedToken = Code(rawValue: 1)
    /// The format ends before the predicate is complete.
    public static let unexpectedEnd = Code(rawValue: 2)
    /// The format contains a character that cannot begin a token.
    public static let unexpectedCharacter = Code(rawValue: 3)
    /// A string has no closing quote.
    public static let unterminatedString = Code(rawValue: 4)
    /// A number has malformed digits.
    public static let invalidNumber = Code(rawValue: 5)
    /// The format calls an unknown function.
    public static let unknownFunction = Code(rawValue: 6)
    /// A function has too few or too many operands.
    public static let wrongOperandCount = Code(rawValue: 7)
    /// The format has more specifiers than there are arguments.
    public static let missingArgument = Code(rawValue: 8)
    /// The format has fewer specifiers than there are arguments.
    public static let extraArgument = Code(rawValue: 9)
    /// The type of an argument does not match its specifier.
    public static let unsuitableArgument = Code(rawValue: 10)
    /// A `%` is followed by a character that is not a specifier.
    public static let unknownSpecifier = Code(rawValue: 11)
    /// The format or the tree of the predicate has more than 200 levels of nesting.
    public static let tooDeep = Code(rawValue: 12)
    /// The format is longer than 1,048,576 bytes.
    public static let tooLong = Code(rawValue: 13)
    /// A regular expression does not compile, or is longer than 65,536 bytes.
    public static let invalidRegularExpression = Code(rawValue: 14)
    /// The predicate uses syntax that Apple supports but this library does not.
    public static let unsupportedSyntax = Code(rawValue: 15)
    /// A key path is invalid, for example because the key path has an empty step or contains a
    /// property that is not managed.
    public static let invalidKeyPath = Code(rawValue: 16)
    /// A key path contains an unknown collection operator.
    public static let unknownCollectionOperator = Code(rawValue: 17)
    /// An argument list was not created by this module's `getVaList` or `withVaList`.
    public static let unknownArgumentList = Code(rawValue: 18)
    /// Matching a string against a regular expression takes more steps than the library allows.
    public static let costlyRegularExpression = Code(rawValue: 19)
  }

  /// The facts about the error.
  private struct Facts: Sendable, Hashable {
    var code: Code
    var message: String
    var format: String?
    var position: Int?
    var expectation: String?
  }

  /// The facts in a separate allocation, because each nested call of the parser reserves space for
  /// an error.
  private indirect enum Box: Sendable, Hashable {
    case facts(Facts)
  }

  private let box: Box

  private var facts: Facts {
    switch box {
    case .facts(let facts): facts
    }
  }

  /// The kind of the error.
  public var code: Code { facts.code }
  /// A description of the problem, in one sentence.
  public var message: String { facts.message }
  /// The format string; nil if the predicate has no format.
  public var format: String? { facts.format }
  /// The position in the format, as an offset in UTF-8 bytes; nil if unknown.
  public var position: Int? { facts.position }
  /// The line of the position, starting at 1; nil if the position is unknown.
  public var line: Int? {
    beginning.map { text in 1 + text.count { $0 == Self.newline } }
  }
  /// The column of the position in Unicode scalars, starting at 1; nil if the position is unknown.
  public var column: Int? {
    beginning.map { text in
      1 + text.reversed().prefix { $0 != Self.newline }.count { $0 & 0xC0 != 0x80 }
    }
  }
  /// The expected tokens; nil if the expected tokens are unknown.
  public var expectation: String? { facts.expectation }

  /// Creates an error, and computes the line and the column from the format and the position.
  ///
  /// - Parameters:
  ///   - code: The kind of the error.
  ///   - message: A description of the problem, in one sentence without values of arguments.
  ///   - format: The format string; nil if the predicate has no format.
  ///   - position: The position in the format, as an offset in UTF-8 bytes; nil if unknown.
  ///   - expectation: The expected tokens; nil if the expected tokens are unknown.
  public init(
    code: Code, message: String, format: String? = nil, position: Int? = nil,
    expectation: String? = nil
  ) {
    box = .facts(
      Facts(
        code: code, message: message, format: format, position: position, expectation: expectation))
  }

  private static let newline = UInt8(ascii: "\n")

  /// The text of the format before the position.
  private var beginning: Substring.UTF8View? {
    guard let format, let position else { return nil }
    return format.utf8.prefix(position)
  }

  /// The message, followed by the expected tokens and the line and column, if known.
  public var description: String {
    var text = message
    if let expectation { text += " Expected \(expectation)." }
    if let line, let column { text += " (line \(line), column \(column))" }
    return text
  }

  /// The text of `localizedDescription`, which equals `description`.
  public var errorDescription: String? { description }
}
