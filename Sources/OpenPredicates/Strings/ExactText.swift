/// A string as a dictionary key that is compared by bytes.
///
/// Swift strings are equal if they are canonically equivalent, but formats and patterns that differ
/// in composition have different meanings.
struct ExactText: Hashable, ExpressibleByStringLiteral {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  init(stringLiteral text: String) {
    self.text = text
  }

  static func == (left: ExactText, right: ExactText) -> Bool {
    TextBytes.areEqual(left.text, right.text)
  }

  func hash(into hasher: inout Hasher) {
    TextBytes.with(text) { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
