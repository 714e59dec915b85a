import CoreData
import SampleSupport

enum SongError: Error {
  case noTitle
}

@ManagedObject
final class Account: NSManagedObject {
  @Managed var limit: Double
}

@ManagedObject
final class Order: NSManagedObject {
  @Managed var isApproved: Bool
  @Managed var total: Double
}

@MainActor let container = sampleContainer(
  sampleModel([
    "Account": [.attribute("limit", .doubleAttributeType)],
    "Order": [
      .attribute("isApproved", .booleanAttributeType), .attribute("total", .doubleAttributeType),
    ],
    "Song": [.attribute("title")],
  ]))
@MainActor let context = container.viewContext
@MainActor let request = NSFetchRequest<Song>(entityName: "Song")

/// The id of a stored song.
@MainActor let id = saved { Song(context: context) }.objectID
@MainActor let account: Account = saved {
  let account = Account(context: context)
  account.limit = 100
  return account
}
@MainActor let order = Order(context: context)

@MainActor private func saved<Object: NSManagedObject>(_ make: () -> Object) -> Object {
  let object = make()
  do { try context.save() } catch { preconditionFailure("The sample is not saved: \(error)") }
  return object
}

@MainActor func childSaved() throws {
  try expect(try container.newBackgroundContext().fetch(request).map(\.title) == ["New"])
}
