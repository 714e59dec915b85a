/// Why a predicate cannot be made or used, with the place in its format string.
///
/// Values of arguments are never part of the message.
public struct PredicateFormatError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of a failure; its numbers never change.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The stable number.
    public let rawValue: Int

    /// Makes a code from its number.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// A token stands where the grammar has no place for it.
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
    /// A `%` followed by a letter that is no specifier.
    public static let unknownSpecifier = Code(rawValue: 11)
    /// Nesting beyond the limit.
    public static let tooDeep = Code(rawValue: 12)
    /// A format beyond the limit of length.
    public static let tooLong = Code(rawValue: 13)
    /// A regular expression that does not compile.
    public static let invalidRegularExpression = Code(rawValue: 14)
    /// Valid syntax of Apple's that has no meaning here.
    public static let unsupportedSyntax = Code(rawValue: 15)
    /// A key path with an empty step.
    public static let invalidKeyPath = Code(rawValue: 16)
    /// A collection operator that is not known.
    public static let unknownCollectionOperator = Code(rawValue: 17)
    /// An argument list that `getVaList` of this module did not make.
    public static let unknownArgumentList = Code(rawValue: 18)
  }

  /// The kind of the failure.
  public let code: Code
  /// What is wrong, in one sentence.
  public let message: String
  /// The format string, when there is one.
  public let format: String?
  /// Where in the format, as an offset in UTF-8 bytes.
  public let position: Int?
  /// The line of the position, from 1.
  public let line: Int?
  /// The column of the position in Unicode scalars, from 1.
  public let column: Int?
  /// What would have been right, when that can be said.
  public let expectation: String?

  /// Makes an error; line and column follow from the format and the position.
  public init(
    code: Code, message: String, format: String? = nil, position: Int? = nil,
    expectation: String? = nil
  ) {
    self.code = code
    self.message = message
    self.format = format
    self.position = position
    self.expectation = expectation
    guard let format, let position else {
      (line, column) = (nil, nil)
      return
    }
    let before = format.utf8.prefix(position)
    let newline = UInt8(ascii: "\n")
    line = 1 + before.count { $0 == newline }
    let lastLine = before.reversed().prefix { $0 != newline }
    column = 1 + lastLine.count { $0 & 0xC0 != 0x80 }
  }

  /// The message with its place and what was expected.
  public var description: String {
    var text = message
    if let expectation { text += " Expected \(expectation)." }
    if let line, let column { text += " (line \(line), column \(column))" }
    return text
  }
}
