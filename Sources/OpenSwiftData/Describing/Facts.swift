internal import OpenObjectModel

/// The facts that `print` and `dump` show of a value; those without value are omitted.
struct Facts<Subject> {
  private let subject: Subject
  private let facts: [(name: String, value: Any)]

  init(of subject: Subject, _ facts: KeyValuePairs<String, Any?>) {
    self.subject = subject
    self.facts = facts.compactMap { name, value in value.map { (name, $0) } }
  }

  /// The type and the facts in one line.
  var text: String {
    let texts = facts.map { "\($0.name): \(DebugText.short($0.value))" }
    let name = "\(Subject.self)"
    return texts.isEmpty ? name : "\(name) (\(texts.joined(separator: "; ")))"
  }

  /// The facts as children.
  var mirror: Mirror {
    Mirror(
      subject, children: facts.map { Mirror.Child(label: $0.name, value: $0.value) },
      displayStyle: Subject.self is AnyClass ? .class : .struct, ancestorRepresentation: .suppressed
    )
  }
}

extension DebugText.Verbatim {
  /// A number of things in words.
  init(_ count: Int, _ noun: String) { self.init(count == 1 ? "1 \(noun)" : "\(count) \(noun)s") }
}
