import Synchronization

/// The templates of formats seen before, by format text and `%K` values.
///
/// Shared: its state is in one `Mutex`. When full it forgets everything, which costs one parse per
/// format.
enum TemplateCache {
  /// A template and the arguments that belong to its places.
  struct Match {
    let template: PredicateTemplate
    let arguments: [Any?]
    /// How many of the given arguments the format used, with those of `%K`.
    let usedCount: Int
  }

  /// What is known about one format.
  private struct Entry {
    let argumentCount: Int
    let keyPositions: [Int]
    var templates: [[ExactText]: PredicateTemplate]
    let plain: PredicateTemplate?
  }

  private static let entryLimit = 2_048
  private static let keyLimit = 512
  private static let longestCachedFormat = 16_384
  private static let entries = Mutex<[ExactText: Entry]>([:])

  /// Finds or parses a format.
  ///
  /// - Throws: `PredicateFormatError` for a bad format or unfit arguments.
  static func match(_ format: String, _ arguments: [Any?]) throws(PredicateFormatError) -> Match {
    if let entry = entries.withLock({ $0[ExactText(format)] }),
      entry.argumentCount <= arguments.count
    {
      if let plain = entry.plain {
        return Match(
          template: plain,
          arguments: entry.argumentCount == arguments.count
            ? arguments : Array(arguments.prefix(entry.argumentCount)),
          usedCount: entry.argumentCount)
      }
      if let keys = keys(at: entry.keyPositions, in: arguments),
        let template = entry.templates[keys]
      {
        return Match(
          template: template, arguments: values(arguments, entry),
          usedCount: entry.argumentCount)
      }
    }
    return try parse(format, arguments)
  }

  private static func parse(
    _ format: String, _ arguments: [Any?]
  ) throws(PredicateFormatError) -> Match {
    var parser = try FormatParser(format: format, arguments: arguments)
    let root = try parser.parsePredicate()
    let template = PredicateTemplate(root: root, argumentCount: parser.valueCount)
    let keyPositions = parser.keyPositions
    let entry = Entry(
      argumentCount: parser.valueCount + keyPositions.count, keyPositions: keyPositions,
      templates: [:], plain: keyPositions.isEmpty ? template : nil)
    let shared =
      format.utf8.count <= longestCachedFormat
      ? remember(template, entry, format, keys(at: keyPositions, in: arguments) ?? [])
      : template
    return Match(
      template: shared, arguments: values(arguments, entry), usedCount: entry.argumentCount)
  }

  /// Adds a template, unless another thread was faster: then its template is the one to share.
  private static func remember(
    _ template: PredicateTemplate, _ entry: Entry, _ format: String, _ keys: [ExactText]
  ) -> PredicateTemplate {
    entries.withLock { entries in
      if entries.count >= entryLimit { entries.removeAll(keepingCapacity: true) }
      let format = ExactText(format)
      var known = entries[format] ?? entry
      defer { entries[format] = known }
      if let plain = known.plain { return plain }
      if let earlier = known.templates[keys] { return earlier }
      if known.templates.count >= keyLimit { known.templates.removeAll() }
      known.templates[keys] = template
      return template
    }
  }

  private static func keys(at positions: [Int], in arguments: [Any?]) -> [ExactText]? {
    var keys: [ExactText] = []
    keys.reserveCapacity(positions.count)
    for position in positions {
      guard let key = arguments[position] as? String else { return nil }
      keys.append(ExactText(key))
    }
    return keys
  }

  /// The arguments of value specifiers, in their order.
  private static func values(_ arguments: [Any?], _ entry: Entry) -> [Any?] {
    var values: [Any?] = []
    values.reserveCapacity(entry.argumentCount - entry.keyPositions.count)
    var keys = entry.keyPositions.makeIterator()
    var nextKey = keys.next()
    for (position, argument) in arguments.prefix(entry.argumentCount).enumerated() {
      if position == nextKey {
        nextKey = keys.next()
      } else {
        values.append(argument)
      }
    }
    return values
  }
}
