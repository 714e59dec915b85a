public import Foundation

// Places in sections, which UIKit and AppKit declare on Apple's systems.

extension IndexPath {
  /// Creates an index path from the index of an item in its section and the index of the section.
  ///
  /// - Parameters:
  ///   - item: The index of the item in the section.
  ///   - section: The index of the section.
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

  /// Creates an index path from the index of a row in its section and the index of the section.
  ///
  /// - Parameters:
  ///   - row: The index of the row in the section.
  ///   - section: The index of the section.
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

  /// The index of the section; `NSNotFound` if the path is empty.
  public var section: Int { count > 0 ? self[0] : NSNotFound }

  /// The index of the item in its section; `NSNotFound` if the path has fewer than two indexes.
  public var item: Int { count > 1 ? self[1] : NSNotFound }

  /// The index of the row in its section; equal to ``item``.
  public var row: Int { item }
}
