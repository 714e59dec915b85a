internal import OpenObjectModel

/// The entities of transactions and changes in history requests; no store has rows of these
/// entities.
enum HistoryEntities {
  static let transactionName = "Transaction"
  static let changeName = "Change"

  /// The keys of transactions and changes in predicates and sort descriptors, by entity name.
  static let keys: [String: Set<String>] = [
    transactionName: [
      "author", "bundleID", "contextName", "processID", "timestamp", "token", "transactionNumber",
      "storeID", "changes",
    ],
    changeName: [
      "changeID", "changeType", "changedEntity", "changedObjectID", "changedID", "transaction",
      "tombstone",
    ],
  ]

  /// The names of the entities of the objects to which keys refer, by key.
  static let destinations = ["changes": changeName, "transaction": transactionName]

  /// A new description of the transaction entity; a request identifies the entity by its name.
  static var transaction: NSEntityDescription {
    make(
      transactionName,
      [
        ("author", .string), ("bundleID", .string), ("contextName", .string),
        ("processID", .string), ("timestamp", .date), ("token", .integer64),
        ("transactionNumber", .integer64),
      ])
  }

  /// A new description of the change entity; a request identifies the entity by its name.
  static var change: NSEntityDescription {
    make(
      changeName,
      [
        ("changeID", .integer64), ("changeType", .integer16), ("changedEntity", .integer64),
        ("changedObjectID", .integer64),
      ])
  }

  private static func make(
    _ name: String, _ attributes: [(String, NSAttributeDescription.AttributeType)]
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = attributes.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.type = type
      return attribute
    }
    return entity
  }

  static func request(
    for entity: NSEntityDescription?
  ) -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = entity
    return request
  }
}
