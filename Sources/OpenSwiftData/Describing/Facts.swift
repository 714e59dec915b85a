internal import OpenObjectModel

/// The labeled details that `print` and `dump` show of a value. Details without a value are
/// omitted.
struct Facts<Subject> {
  private let subject: Subject
  private let facts: [(name: String, value: Any)]

  init(of subject: Subject, _ facts: KeyValuePairs<String, Any?>) {
    self.subject = subject
    self.facts = facts.compactMap { name, value in value.map { (name, $0) } }
  }

  /// The type and the details on one line.
  var text: String {
    let texts = facts.map { "\($0.name): \(DebugText.short($0.value))" }
    let name = "\(Subject.self)"
    return texts.isEmpty ? name : "\(name) (\(texts.joined(separator: "; ")))"
  }

  /// A mirror with the details as children.
  var mirror: Mirror {
    Mirror(
      subject, children: facts.map { Mirror.Child(label: $0.name, value: $0.value) },
      displayStyle: Subject.self is AnyClass ? .class : .struct, ancestorRepresentation: .suppressed
    )
  }
}

extension DebugText.Verbatim {
  /// Creates the text of a count and a noun, such as "1 change" and "2 changes".
  init(_ count: Int, _ noun: String) { self.init(count == 1 ? "1 \(noun)" : "\(count) \(noun)s") }
}
