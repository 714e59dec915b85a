/// The part of a file that a request asks for in its `Range` header, as RFC 9110 describes it.
enum ByteRange: Equatable {
  /// All of the file: for no header, one in another unit, one that is malformed, and one with several ranges.
  case whole
  /// These bytes, at least one.
  case part(Range<Int>)
  /// Nothing that the file has.
  case unsatisfiable

  /// Reads a header.
  ///
  /// - Parameters:
  ///   - header: The header's value; nil for none.
  ///   - size: How many bytes the file has.
  init(_ header: String?, size: Int) {
    self = .whole
    guard let header, header.lowercased().hasPrefix("bytes=") else { return }
    let bounds = header.dropFirst(6).split(
      separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard bounds.count == 2, bounds.allSatisfy({ $0.allSatisfy { "0123456789".contains($0) } })
    else { return }
    // A number of too many digits lies behind the end of any file.
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
