/// The objects that `end(_:at:)` removed from the lists of the unit of work. Used immediately.
struct EndedChanges {
  let lists: [[NSManagedObject]]
  /// The registry of the context, if some of the objects may have left the context; nil otherwise.
  let registry: ContextRegistry?
  let transition: Transition

  /// Performs the transition of each object.
  ///
  /// - Parameter body: A closure that is called with each inserted or updated object that stays,
  ///   and its former state. If the closure releases objects, application code may run; the code
  ///   finds no changes.
  /// - Returns: The objects that leave the context, which are still in the context's identity map.
  @discardableResult
  func settle(
    _ body: (NSManagedObject, Standing.State) -> Void = { _, _ in }
  ) -> [NSManagedObject] {
    var leaving: [NSManagedObject] = []
    for list in lists {
      list.forEachBorrowed { object in
        if let registry, object.registry !== registry { return }
        let former = object.standing.state
        let hadValues = former == .inserted || object.isMarkedUpdated
        guard former != .detached, let state = transition.destination(from: former) else { return }
        object.standing = Standing(state)
        if state == .detached { return leaving.append(object) }
        if hadValues { body(object, former) }
      }
    }
    return leaving
  }
}
