import Synchronization

/// The templates of parsed formats, by format text and `%K` values.
///
/// One `Mutex` protects the formats, and each format with `%K` has its own `Mutex` for its
/// templates. A full cache is emptied, which costs one parse for each format. The most recent
/// format is found without hashing.
enum TemplateCache {
  /// A template and the arguments for its placeholders.
  struct Match {
    let template: PredicateTemplate
    let arguments: [Any?]
    /// The number of arguments that the format used, including those of `%K`.
    let usedCount: Int
  }

  /// The cached templates of one format.
  private final class Entry: Sendable {
    let format: ExactText
    let argumentCount: Int
    let keyPositions: [Int]
    /// The template of a format without `%K`.
    let plain: PredicateTemplate?
    private let keyed = Mutex<[[ExactText]: PredicateTemplate]>([:])

    init(
      _ format: String, argumentCount: Int, keyPositions: [Int], plain: PredicateTemplate?
    ) {
      self.format = ExactText(format)
      self.argumentCount = argumentCount
      self.keyPositions = keyPositions
      self.plain = plain
    }

    func template(of keys: [ExactText]) -> PredicateTemplate? { keyed.withLock { $0[keys] } }

    /// Adds a template and returns the template to share, which another thread may have added
    /// first.
    func remember(_ template: PredicateTemplate, of keys: [ExactText]) -> PredicateTemplate {
      if let plain { return plain }
      return keyed.withLock { templates in
        if let earlier = templates[keys] { return earlier }
        if templates.count >= TemplateCache.keyLimit { templates.removeAll() }
        templates[keys] = template
        return template
      }
    }
  }

  private struct Entries {
    var last: Entry?
    var known: [ExactText: Entry] = [:]

    mutating func entry(of format: ExactText) -> Entry? {
      if let last, last.format == format { return last }
      guard let entry = known[format] else { return nil }
      last = entry
      return entry
    }
  }

  private static let entryLimit = 2_048
  private static let keyLimit = 512
  private static let longestCachedFormat = 16_384
  private static let entries = Mutex(Entries())

  /// Returns the template of a format, parsing the format if necessary.
  ///
  /// - Throws: `PredicateFormatError` if the format is invalid or the arguments are unsuitable.
  static func match(_ format: String, _ arguments: [Any?]) throws(PredicateFormatError) -> Match {
    if let entry = entries.withLock({ $0.entry(of: ExactText(format)) }),
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
        let template = entry.template(of: keys)
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
      format, argumentCount: parser.valueCount + keyPositions.count, keyPositions: keyPositions,
      plain: keyPositions.isEmpty ? template : nil)
    let shared =
      format.utf8.count <= longestCachedFormat
      ? remember(template, entry, keys(at: keyPositions, in: arguments) ?? [])
      : template
    return Match(
      template: shared, arguments: values(arguments, entry), usedCount: entry.argumentCount)
  }

  /// Adds a template and returns the template to share, which another thread may have added first.
  private static func remember(
    _ template: PredicateTemplate, _ entry: Entry, _ keys: [ExactText]
  ) -> PredicateTemplate {
    let shared = entries.withLock { entries in
      if let earlier = entries.known[entry.format] { return earlier }
      if entries.known.count >= entryLimit { entries.known.removeAll(keepingCapacity: true) }
      entries.known[entry.format] = entry
      return entry
    }
    return shared.remember(template, of: keys)
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

  /// Returns the arguments of value specifiers, in order.
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
