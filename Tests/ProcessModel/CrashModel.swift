public import Foundation
public import OpenCoreData

/// The model and the values of the stores whose crashes are tested.
public enum CrashModel {
  /// Items, whose values may be large, and a counter of saves.
  public static func make() -> NSManagedObjectModel {
    let item = NSEntityDescription()
    item.name = "Item"
    let value = NSAttributeDescription()
    value.name = "value"
    value.attributeType = .binaryDataAttributeType
    value.isOptional = true
    value.allowsExternalBinaryDataStorage = true
    item.properties = [ProcessModel.number("number"), ProcessModel.number("stamp"), value]
    let counter = NSEntityDescription()
    counter.name = "Counter"
    counter.properties = [ProcessModel.number("value")]
    let model = NSManagedObjectModel()
    model.entities = [counter, item]
    return model
  }

  /// The value that belongs to a stamp: of every three, one is in the row and two are in separate files.
  public static func value(of stamp: Int) -> Data {
    let count = stamp.isMultiple(of: 3) ? 600 : (128 << 10) + 1 + stamp % 700
    var value = Data(repeating: UInt8(truncatingIfNeeded: stamp &* 37), count: count)
    // Each sector differs from all other sectors of this and other values.
    for offset in stride(from: 0, to: count - 8, by: 512) {
      withUnsafeBytes(of: stamp &* 1_000_003 &+ offset) {
        value.replaceSubrange(offset..<offset + 8, with: $0)
      }
    }
    return value
  }

  /// Items and their stamps as one line of text, which a mark can carry.
  public static func text(of stamps: [Int: Int]) -> String {
    stamps.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: " ")
  }
}
