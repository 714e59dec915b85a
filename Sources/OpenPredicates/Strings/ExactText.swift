/// A text as a key of dictionaries that compare bytes.
///
/// Swift's strings are equal when canonically equivalent; formats and patterns that differ in
/// composition mean different things.
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
