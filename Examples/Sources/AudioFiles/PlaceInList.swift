/// The number of a track or disc, and the total count.
///
/// A value.
public struct PlaceInList: Sendable, Hashable {
  /// The number, starting at 1; nil if the tags contain none.
  public let number: Int?
  /// The total count; nil if the tags do not contain it.
  public let count: Int?

  /// Parses "3", "03", "3/12" or "3 of 12". Values that are not numbers from 1 to 32767 are ignored.
  ///
  /// - Parameters:
  ///   - text: The value of the number field.
  ///   - count: The value of the count field. A count in the text takes precedence.
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
