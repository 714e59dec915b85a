/// The part of a file that a request specifies in its `Range` header, as described in RFC 9110.
enum ByteRange: Equatable {
  /// The whole file, if the header is missing, uses another unit, is malformed or has several ranges.
  case whole
  /// A range of at least one byte.
  case part(Range<Int>)
  /// A range outside the file.
  case unsatisfiable

  /// Parses a header.
  ///
  /// - Parameters:
  ///   - header: The header's value; nil for none.
  ///   - size: The size of the file, in bytes.
  init(_ header: String?, size: Int) {
    self = .whole
    guard let header, header.lowercased().hasPrefix("bytes=") else { return }
    let bounds = header.dropFirst(6).split(
      separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard bounds.count == 2, bounds.allSatisfy({ $0.allSatisfy { "0123456789".contains($0) } })
    else { return }
    // A number with too many digits is beyond the end of any file.
    let numbers = bounds.map { $0.isEmpty ? nil : Int($0) ?? Int.max }
    switch (numbers[0], numbers[1]) {
    case (nil, nil): return
    case (nil, let length?):
      self = length > 0 && size > 0 ? .part(max(0, size - length)..<size) : .unsatisfiable
    case (let first?, let last):
      if let last, last < first { return }
      self = first < size ? .part(first..<(min(last ?? size, size - 1) + 1)) : .unsatisfiable
    }
  }
}
