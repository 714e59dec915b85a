/// A track's or a disc's number, and of how many.
///
/// A value.
public struct PlaceInList: Sendable, Hashable {
  /// The number, from 1; nil when the tags have none.
  public let number: Int?
  /// How many there are; nil when the tags do not say it.
  public let count: Int?

  /// Reads "3", "03", "3/12" or "3 of 12"; what is no number from 1 to 32767 is left out.
  ///
  /// - Parameters:
  ///   - text: The field of the number.
  ///   - count: The field of the count, which a count in the text has precedence over.
  public init(_ text: String?, count: String? = nil) {
    let parts = (text ?? "").split { !$0.isASCII || !$0.isNumber }.map { Self.number(String($0)) }
    let isOnlyCount = text?.hasPrefix("/") == true
    number = isOnlyCount ? nil : parts.first ?? nil
    self.count = (isOnlyCount ? parts.first : parts.dropFirst().first) ?? count.flatMap(Self.number)
  }

  private static func number(_ text: String) -> Int? {
    Int(text).flatMap { (1...Int(Int16.max)).contains($0) ? $0 : nil }
  }
}
