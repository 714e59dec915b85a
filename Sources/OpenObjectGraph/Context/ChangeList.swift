/// The objects of one kind of change, in the order in which they got it; keeps them alive.
///
/// Adding is O(1): each object carries a mark that says that it stands on the list. An object that leaves is only
/// no longer counted, and is passed over when the list is read. Part of a ``UnitOfWork``, which sets the marks.
struct ChangeList {
  /// What happened to the objects of a list.
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
  /// All objects that were added since the last save, including those that left.
  private(set) var listed: [NSManagedObject] = []
  /// How many objects belong on the list.
  private(set) var memberCount = 0
  /// How many objects were listed at the last change notification.
  private var announcedCount = 0

  init(_ kind: Kind) { self.kind = kind }

  /// How many objects came onto the list since the last change notification.
  @inline(__always)
  var unannouncedCount: Int { listed.count - announcedCount }
  /// The objects that came onto the list since the last change notification.
  var unannounced: ArraySlice<NSManagedObject> { listed[announcedCount...] }
  /// Whether no object left the list, and no change notification has named any.
  var isUntouched: Bool { announcedCount == 0 && memberCount == listed.count }

  /// Counts an object that belongs on the list from now on, listed or not.
  @inline(__always)
  mutating func countMember() { memberCount += 1 }

  /// Discounts an object that does not belong on the list any more.
  @inline(__always)
  mutating func discountMember() { memberCount -= 1 }

  /// Lists an object that does not carry the mark.
  @inline(__always)
  mutating func append(_ object: NSManagedObject) { listed.append(object) }

  /// Notes that a change notification names all objects on the list.
  mutating func noteAnnouncement() { announcedCount = listed.count }

  /// Keeps some of the objects, and removes the other objects.
  mutating func keep(of registry: ContextRegistry?, where stays: (NSManagedObject) -> Bool) {
    memberCount = members(of: registry).count(where: stays)
    listed = listed.filter(stays)
  }

  /// The objects that belong on the list.
  @inline(__always)
  func members(of registry: ContextRegistry?) -> [NSManagedObject] {
    memberCount == listed.count ? listed : distinctMembers(of: registry)
  }

  /// Each member once: an object that left the context and came back stands on the list twice.
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
