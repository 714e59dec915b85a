internal import OpenObjectModel
internal import OpenStoreContract

/// Drops both sides of unsaved one-to-one relationships.
///
/// If only one side lost its unsaved value, a save would store a pair of objects, only one of which
/// refers to the other. The former partners of both sides get their stored destinations back.
///
/// > Concurrency: Confined to the context's queue.
struct PairedEdits {
  private typealias Side = (object: NSManagedObject, ordinal: Int)

  private let context: NSManagedObjectContext

  init(in context: NSManagedObjectContext) { self.context = context }

  /// Drops the unsaved one-to-one relationships of an object whose changes are being dropped.
  func drop(of object: NSManagedObject) {
    for ordinal in object.edits.ordinals.members { drop(ordinal, of: object) }
  }

  /// Drops the unsaved value of a one-to-one relationship, and the unsaved values of the other
  /// sides; does nothing for any other property.
  func drop(_ ordinal: Int, of object: NSManagedObject) {
    // A list of sides instead of recursion, because a chain of changed pairs can be long.
    var others = dropSide((object, ordinal))
    var next = 0
    while next < others.count {
      others += dropSide(others[next])
      next += 1
    }
    for (other, _) in others.reversed() { noteDrop(of: other) }
  }

  /// Drops the unsaved value of one side, and returns the sides whose unsaved values no longer have
  /// a counterpart.
  private func dropSide(_ side: Side) -> [Side] {
    let (object, ordinal) = side
    guard let edit = object.edits[ordinal], let inverse = inverse(of: ordinal, object) else {
      return []
    }
    object.edits.remove(ordinal)
    object.forgetDestination(ordinal)
    var others: [Side] = []
    if case .object(let partner) = edit, case .object(let source)? = partner.edits[inverse],
      source === object
    {
      others.append((partner, inverse))
    }
    if let partner = object.knownDestination(ordinal), partner.edits.contains(inverse) {
      others.append((partner, inverse))
    }
    return others.filter { $0.object.isPresent }
  }

  /// The ordinal of the inverse of a one-to-one relationship; nil for any other property.
  private func inverse(of ordinal: Int, _ object: NSManagedObject) -> Int? {
    guard let relationship = object.compiledEntity.properties[ordinal].relationship,
      !relationship.isToMany, let inverse = relationship.inverseOrdinal,
      relationship.destination.properties[inverse].relationship?.isToMany == false
    else { return nil }
    return inverse
  }

  /// Announces an object that lost an unsaved value, and marks it as unchanged if it has no other
  /// unsaved changes.
  private func noteDrop(of object: NSManagedObject) {
    // The undo recorder has registered all changes of an object that is not announced.
    if !object.flags.contains(.announced) { context.undoRecorder?.takeBaseline(of: object) }
    context.unitOfWork.announce(object)
    if !object.hasEdits { context.unitOfWork.discardUpdate(of: object) }
  }
}
