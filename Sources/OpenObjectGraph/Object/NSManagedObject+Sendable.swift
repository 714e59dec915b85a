/// Managed objects are not sendable; pass their ids to other threads.
///
/// > Reference: Apple, NSManagedObject.
@available(*, unavailable, message: "Pass the object's objectID to other threads.")
extension NSManagedObject: @unchecked Sendable {}
