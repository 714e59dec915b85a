/// The objects with one kind of change, in the order of the changes.
///
/// The list retains the objects. Adding an object is O(1): a mark on each object records that the
/// list contains the object. An object that leaves the list is no longer counted, and is skipped
/// when the list is read. The ``UnitOfWork`` that owns the list sets the marks.
struct ChangeList {
  /// The kinds of change.
  enum Kind {
    case inserted
    case updated
    case deleted

    /// The mark of the objects on the list.
    var mark: NSManagedObject.Flags {
      switch self {
      case .inserted: .listedInserted
      case .updated: .listedUpdated
      case .deleted: .listedDeleted
      }
    }

    fileprivate func includes(_ object: NSManagedObject) -> Bool {
      switch self {
      case .inserted: object.registration == .inserted
      case .updated: object.isMarkedUpdated
      case .deleted: object.standing.state.isPendingDeletion
      }
    }
  }

  let kind: Kind
  /// All objects that were added since the last save, including objects that have left the list.
  private(set) var listed: [NSManagedObject] = []
  /// The number of objects that belong to the list.
  private(set) var memberCount = 0
  /// The number of listed objects at the last change notification.
  private var announcedCount = 0

  init(_ kind: Kind) { self.kind = kind }

  /// The number of objects that were added since the last change notification.
  @inline(__always)
  var unannouncedCount: Int { listed.count - announcedCount }
  /// The objects that were added since the last change notification.
  var unannounced: ArraySlice<NSManagedObject> { listed[announcedCount...] }
  /// Whether no object has left the list, and no change notification has included an object of the
  /// list.
  var isUntouched: Bool { announcedCount == 0 && memberCount == listed.count }

  /// Counts an object that belongs to the list from now on, whether or not it is already listed.
  @inline(__always)
  mutating func countMember() { memberCount += 1 }

  /// Subtracts an object that no longer belongs to the list from the count.
  @inline(__always)
  mutating func discountMember() { memberCount -= 1 }

  /// Lists an object that does not have the mark.
  @inline(__always)
  mutating func append(_ object: NSManagedObject) { listed.append(object) }

  /// Notes that a change notification includes all objects of the list.
  mutating func noteAnnouncement() { announcedCount = listed.count }

  /// Removes all objects except those for which `stays` returns true.
  mutating func keep(of registry: ContextRegistry?, where stays: (NSManagedObject) -> Bool) {
    memberCount = members(of: registry).count(where: stays)
    listed = listed.filter(stays)
  }

  /// The objects that belong to the list.
  @inline(__always)
  func members(of registry: ContextRegistry?) -> [NSManagedObject] {
    memberCount == listed.count ? listed : distinctMembers(of: registry)
  }

  /// The members without duplicates: an object that left the context and came back is listed twice.
  @inline(never)
  private func distinctMembers(of registry: ContextRegistry?) -> [NSManagedObject] {
    var members: [NSManagedObject] = []
    members.reserveCapacity(memberCount)
    listed.forEachBorrowed { object in
      guard object.registry === registry, kind.includes(object), !object.flags.contains(.met) else {
        return
      }
      object.setMet(true)
      members.append(object)
    }
    members.forEachBorrowed { $0.setMet(false) }
    return members
  }
}
