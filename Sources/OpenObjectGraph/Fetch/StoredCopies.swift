/// Copies of a context's objects with their stored values, in a context without unsaved changes.
///
/// A fetch that ignores unsaved changes evaluates its conditions and its order in memory on the
/// copies. The relationships of a copy lead to objects of the same context, which also have their
/// stored values. Each fetch creates its own copies.
///
/// > Concurrency: Confined to the queue of the context whose objects are copied.
struct StoredCopies {
  /// The context of the copies.
  let context: NSManagedObjectContext
  /// The copies, in the order of their originals.
  let objects: [NSManagedObject]
  /// The originals, by the identity of their copies.
  private let originals: [ObjectIdentifier: NSManagedObject]

  /// Copies saved objects of a context.
  ///
  /// - Throws: `StoreError` if the stored values of an object cannot be read.
  init(of originals: [NSManagedObject], in context: NSManagedObjectContext) throws {
    let own = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
    context.source.attach(own)
    // The rows may contain temporary keys that the parent has replaced.
    own.registry.addPlaces(of: context.registry)
    var copies: [NSManagedObject] = []
    var known: [ObjectIdentifier: NSManagedObject] = [:]
    for original in originals {
      if original.contents == .fault {
        try context.loadingFreely { () throws(any Error) in try FaultResolver.load(original) }
      }
      let copy = own.registered(
        original.compiledEntity, key: original.key, store: Int(original.storePosition))
      if original.contents != .fault { FaultResolver.attach(original.row, to: copy) }
      copies.append(copy)
      known[ObjectIdentifier(copy)] = original
    }
    self.context = own
    objects = copies
    self.originals = known
  }

  /// Returns the originals of some of the copies, in the order of the copies.
  func originals(of copies: [NSManagedObject]) -> [NSManagedObject] {
    copies.compactMap { originals[ObjectIdentifier($0)] }
  }
}
