/// The elements of a sequence in arrays of limited size. The elements of an array are read from the
/// sequence when the array is requested.
struct Pieces<Elements: Sequence>: Sequence, IteratorProtocol {
  private var elements: Elements.Iterator
  private let size: Int

  /// Creates the arrays of a sequence's elements.
  ///
  /// - Parameters:
  ///   - elements: The sequence to divide.
  ///   - size: The maximum number of elements in an array. A value less than 1 is treated as 1.
  init(of elements: Elements, size: Int) {
    self.elements = elements.makeIterator()
    self.size = Swift.max(1, size)
  }

  mutating func next() -> [Elements.Element]? {
    var piece: [Elements.Element] = []
    while piece.count < size, let element = elements.next() { piece.append(element) }
    return piece.isEmpty ? nil : piece
  }
}
