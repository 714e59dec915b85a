internal import OpenObjectModel
internal import OpenStoreContract

/// Drops both sides of unsaved one-to-one relationships.
///
/// If only one side lost its unsaved value, a save would store a pair of objects of which only one
/// refers to the other. The former partners of both sides get their stored destinations back.
///
/// > Concurrency: Confined to the context's queue.
struct PairedEdits {
  private let context: NSManagedObjectContext

  init(in context: NSManagedObjectContext) { self.context = context }

  /// Drops the unsaved one-to-one relationships of an object whose changes are being dropped.
  func drop(of object: NSManagedObject) {
    for ordinal in object.edits.ordinals.members { drop(ordinal, of: object) }
  }

  /// Drops the unsaved value of a one-to-one relationship, and the unsaved values of the other
  /// sides; does nothing for any other property.
  func drop(_ ordinal: Int, of object: NSManagedObject) {
    guard let edit = object.edits[ordinal], let inverse = inverse(of: ordinal, object) else {
      return
    }
    object.edits.remove(ordinal)
    object.forgetDestination(ordinal)
    if case .object(let partner) = edit, case .object(let source)? = partner.edits[inverse],
      source === object
    {
      drop(inverse, ofPartner: partner)
    }
    if let partner = object.knownDestination(ordinal), partner.edits.contains(inverse) {
      drop(inverse, ofPartner: partner)
    }
  }

  /// The ordinal of the inverse of a one-to-one relationship; nil for any other property.
  private func inverse(of ordinal: Int, _ object: NSManagedObject) -> Int? {
    guard let relationship = object.compiledEntity.properties[ordinal].relationship,
      !relationship.isToMany, let inverse = relationship.inverseOrdinal,
      relationship.destination.properties[inverse].relationship?.isToMany == false
    else { return nil }
    return inverse
  }

  private func drop(_ ordinal: Int, ofPartner partner: NSManagedObject) {
    guard partner.isPresent else { return }
    let isRegistered = !partner.flags.contains(.announced)
    drop(ordinal, of: partner)
    if isRegistered { context.undoRecorder?.takeBaseline(of: partner) }
    context.unitOfWork.announce(partner)
    if !partner.hasEdits { context.unitOfWork.discardUpdate(of: partner) }
  }
}
