/// The elements of a sequence in arrays of a limited size; each array is read on request.
struct Pieces<Elements: Sequence>: Sequence, IteratorProtocol {
  private var elements: Elements.Iterator
  private let size: Int

  /// - Parameters:
  ///   - elements: What to divide.
  ///   - size: The maximum number of elements of a piece; less than 1 counts as 1.
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
