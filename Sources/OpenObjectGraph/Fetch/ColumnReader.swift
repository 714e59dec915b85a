internal import Foundation
internal import OpenPredicates
internal import OpenStoreContract

/// Converts the values of one column of a fetch to a Swift type, like accessors of that type.
struct ColumnReader<Content> {
  private let column: Int
  private let context: NSManagedObjectContext
  /// Reads consecutive rows without casts; returns nil if the type or a value needs a cast.
  private let plain: (ResultRows, Int, Range<Int>) -> [Content]?

  /// Creates a reader of the next column.
  init(next column: inout Int, of context: NSManagedObjectContext) {
    self.column = column
    self.context = context
    plain = (Content.self as? any ColumnContent.Type).map { Self.reading($0) } ?? { _, _, _ in nil }
    column += 1
  }

  private static func reading<Known: ColumnContent>(
    _ type: Known.Type
  ) -> (ResultRows, Int, Range<Int>) -> [Content]? {
    // `Known` is `Content`, found by a cast of its metatype.
    { unsafeBitCast(Known.contents($0, $1, $2), to: [Content]?.self) }
  }

  /// Returns the values of the column in consecutive rows.
  func contents(_ rows: ResultRows, _ run: Range<Int>) throws(StoreError) -> [Content] {
    if rows.columns.isStored(column), let contents = plain(rows, column, run) { return contents }
    var contents: [Content] = []
    for row in run { contents.append(try content(rows, row)) }
    return contents
  }

  private func content(_ rows: ResultRows, _ row: Int) throws(StoreError) -> Content {
    let found = rows.value(column, of: row)
    if let content = found as? Content { return content }
    if let id = found as? NSManagedObjectID, let object = context.object(with: id) as? Content {
      return object
    }
    if found == nil, let type = Content.self as? any EmptyContent.Type,
      let content = type.init() as? Content
    {
      return content
    }
    throw mismatch(found, rows)
  }

  private func mismatch(_ found: Any?, _ rows: ResultRows) -> StoreError {
    let name = rows.columns.keys.names[column]
    let kind = found.map { "A value of type \(type(of: $0))" } ?? "A missing value"
    return StoreError(
      .unsupportedPredicate,
      "\(kind) cannot be read as \(Content.self). Declare the property with the type in the model, and as "
        + "optional if it may have no value.",
      propertyName: name)
  }
}

/// A type of transformable and composite attributes with an empty value, which the accessor of a
/// non-optional property returns for null.
private protocol EmptyContent {
  init()
}

extension Array: EmptyContent {}
extension Dictionary: EmptyContent {}

/// A type whose values are created from stored values without casts.
private protocol ColumnContent {
  /// Returns the values of a column in consecutive rows; nil if a value does not fit.
  static func contents(_ rows: ResultRows, _ column: Int, _ run: Range<Int>) -> [Self]?
}

/// A type with a value for null, which the accessor of a non-optional property returns.
private protocol PlainContent: ColumnContent {
  init?(plain value: OpenPredicates.Value)

  /// Returns the same values as `contents`, with nil for null.
  ///
  /// This is a requirement so that the loop is compiled for each type.
  static func optionals(_ rows: ResultRows, _ column: Int, _ run: Range<Int>) -> [Self?]?
}

extension PlainContent {
  fileprivate static func contents(
    _ rows: ResultRows, _ column: Int, _ run: Range<Int>
  ) -> [Self]? {
    var contents: [Self] = []
    contents.reserveCapacity(run.count)
    for row in run {
      guard let content = Self(plain: rows.stored(column, of: row)) else { return nil }
      contents.append(content)
    }
    return contents
  }

  fileprivate static func optionals(
    _ rows: ResultRows, _ column: Int, _ run: Range<Int>
  ) -> [Self?]? {
    var contents: [Self?] = []
    contents.reserveCapacity(run.count)
    for row in run {
      let value = rows.stored(column, of: row)
      if case .null = value {
        contents.append(nil)
      } else {
        guard let content = Self(plain: value) else { return nil }
        contents.append(content)
      }
    }
    return contents
  }
}

extension Optional: ColumnContent where Wrapped: PlainContent {
  fileprivate static func contents(
    _ rows: ResultRows, _ column: Int, _ run: Range<Int>
  ) -> [Self]? {
    Wrapped.optionals(rows, column, run)
  }
}

extension PlainContent where Self: FixedWidthInteger {
  fileprivate init?(plain value: OpenPredicates.Value) {
    switch value {
    case .int(let integer): self.init(exactly: integer)
    case .null: self = 0
    default: return nil
    }
  }
}

extension Int: PlainContent {}
extension Int64: PlainContent {}
extension Int32: PlainContent {}
extension Int16: PlainContent {}

extension Bool: PlainContent {
  fileprivate init?(plain value: OpenPredicates.Value) {
    switch value {
    case .bool(let flag): self = flag
    case .int(let integer): self = integer != 0
    case .null: self = false
    default: return nil
    }
  }
}

extension PlainContent where Self: BinaryFloatingPoint {
  fileprivate init?(plain value: OpenPredicates.Value) {
    switch value {
    case .double(let real): self.init(real)
    case .int(let integer): self.init(integer)
    case .null: self = 0
    default: return nil
    }
  }
}

extension Double: PlainContent {}
extension Float: PlainContent {}

extension Date: PlainContent {
  fileprivate init?(plain value: OpenPredicates.Value) {
    switch value {
    case .date(let seconds): self.init(timeIntervalSinceReferenceDate: seconds)
    case .null: self.init(timeIntervalSinceReferenceDate: 0)
    default: return nil
    }
  }
}

extension String: PlainContent {
  fileprivate init?(plain value: OpenPredicates.Value) {
    switch value {
    case .string(let text): self = text
    case .null: self = ""
    default: return nil
    }
  }
}

extension Data: PlainContent {
  fileprivate init?(plain value: OpenPredicates.Value) {
    switch value {
    case .data(let data): self = data
    case .null: self.init()
    default: return nil
    }
  }
}

extension UUID: PlainContent {
  fileprivate init?(plain value: OpenPredicates.Value) {
    switch value {
    case .uuid(let uuid): self = uuid
    case .null: self.init(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    default: return nil
    }
  }
}

extension URL: PlainContent {
  fileprivate init?(plain value: OpenPredicates.Value) {
    switch value {
    case .url(let url): self = url
    case .null: self.init(fileURLWithPath: "/")
    default: return nil
    }
  }
}

extension Decimal: PlainContent {
  fileprivate init?(plain value: OpenPredicates.Value) {
    switch value {
    case .decimal(let box): self = box.decimal
    case .int(let integer): self.init(integer)
    case .null: self = .zero
    default: return nil
    }
  }
}
