import CoreData

/// The superclass of the model's classes, written for this library.
@ManagedObject
open class Record: NSManagedObject {
  @Managed public var note: String?
}
