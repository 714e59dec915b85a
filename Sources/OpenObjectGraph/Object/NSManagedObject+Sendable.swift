/// Says that objects never cross threads; pass their ids.
///
/// > Reference: Apple, NSManagedObject.
@available(*, unavailable, message: "Pass the object's objectID to other threads.")
extension NSManagedObject: @unchecked Sendable {}
