internal import Foundation
internal import OpenObjectModel

extension DefaultHistoryInsert: CustomStringConvertible {
  /// A string with the identifier of the model, the number of the change, and the number of the
  /// transaction.
  ///
  /// This is an addition to Apple's API.
  public var description: String {
    let facts = Facts(
      of: self,
      [
        "changedPersistentIdentifier": changedPersistentIdentifier,
        "changeIdentifier": changeIdentifier, "transactionIdentifier": transactionIdentifier,
      ])
    return facts.text
  }
}

extension DefaultHistoryUpdate: CustomStringConvertible, CustomReflectable {
  private var facts: Facts<Self> {
    Facts(
      of: self,
      [
        "changedPersistentIdentifier": changedPersistentIdentifier,
        "updatedAttributes": updatedNames.sorted(), "changeIdentifier": changeIdentifier,
        "transactionIdentifier": transactionIdentifier,
      ])
  }

  /// A string with the identifier of the model, the names of the changed properties, the number of
  /// the change, and the number of the transaction.
  ///
  /// This is an addition to Apple's API.
  public var description: String { facts.text }

  /// A mirror with the same details as ``description``.
  ///
  /// This is an addition to Apple's API.
  public var customMirror: Mirror { facts.mirror }
}

extension DefaultHistoryDelete: CustomStringConvertible {
  /// A string with the identifier of the model, the preserved values, the number of the change, and
  /// the number of the transaction.
  ///
  /// This is an addition to Apple's API.
  public var description: String {
    let facts = Facts(
      of: self,
      [
        "changedPersistentIdentifier": changedPersistentIdentifier, "tombstone": tombstone,
        "changeIdentifier": changeIdentifier, "transactionIdentifier": transactionIdentifier,
      ])
    return facts.text
  }
}

extension HistoryTombstone: CustomStringConvertible, CustomReflectable {
  /// A string with the name and the preserved value of each property.
  ///
  /// This is an addition to Apple's API.
  public var description: String {
    let values = namedValues.map { "\($0.name): \(DebugText.short($0.value))" }
    return "\(Self.self) (\(values.joined(separator: "; ")))"
  }

  /// A mirror whose children are the preserved values, labeled with the names of the properties.
  ///
  /// This is an addition to Apple's API.
  public var customMirror: Mirror {
    Mirror(
      self, children: namedValues.map { Mirror.Child(label: $0.name, value: $0.value) },
      displayStyle: .struct)
  }
}

extension DefaultHistoryTransaction: CustomStringConvertible {
  /// A string with the number, the author and the time of the transaction, and the number of
  /// changes.
  ///
  /// This is an addition to Apple's API.
  public var description: String {
    let facts = Facts(
      of: self,
      [
        "transactionIdentifier": transactionIdentifier, "author": author, "timestamp": timestamp,
        "changes": DebugText.Verbatim(changes.count, "change"),
      ])
    return facts.text
  }
}

extension DefaultHistoryToken: CustomStringConvertible {
  /// A string with the identifier of each store and the number of the store's last transaction
  /// before the token's position.
  ///
  /// This is an addition to Apple's API.
  public var description: String {
    let places = numbers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return "DefaultHistoryToken (\(places.joined(separator: "; ")))"
  }
}

extension HistoryDescriptor: CustomStringConvertible, CustomReflectable {
  private var facts: Facts<Self> {
    Facts(
      of: self,
      [
        // The description of a predicate can terminate the process.
        "predicate": predicate.map { _ in DebugText.Verbatim("set") },
        "sortBy": sortBy.isEmpty ? nil : DebugText.Verbatim(sortBy.count, "descriptor"),
        "fetchLimit": fetchLimit == 0 ? nil : fetchLimit,
      ])
  }

  /// A string that contains the number of sort descriptors and the limit, and that shows whether
  /// there is a predicate.
  ///
  /// This is an addition to Apple's API.
  public var description: String { facts.text }

  /// A mirror with the same details as ``description``.
  ///
  /// This is an addition to Apple's API.
  public var customMirror: Mirror { facts.mirror }
}
