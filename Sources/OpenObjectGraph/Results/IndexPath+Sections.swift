public import Foundation

// Places in sections, which UIKit and AppKit declare on Apple's systems.

extension IndexPath {
  /// The place of an item in a section.
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

  /// The place of a row in a section.
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

  /// The section; `NSNotFound` for a path without one.
  public var section: Int { count > 0 ? self[0] : NSNotFound }

  /// The item in its section; `NSNotFound` for a path without one.
  public var item: Int { count > 1 ? self[1] : NSNotFound }

  /// The row in its section; the same as the item.
  public var row: Int { item }
}
