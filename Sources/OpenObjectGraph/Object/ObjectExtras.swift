internal import OpenObjectModel

/// The state that only some objects have: loaded relationships, transient values and siblings.
///
/// The extras are created when they are first needed. A plain fetched object, even one with a
/// to-one destination that was read, remains one allocation.
final class ObjectExtras {
  /// A destination that was read.
  private struct Destination {
    var ordinal: Int
    var object: NSManagedObject
    /// The destination's typed model, if a layer of typed models has requested one.
    var model: AnyObject?
  }

  /// The destinations of to-one relationships that were read; the object retains them.
  ///
  /// The destination that was read first is included only if it has a model.
  @exclusivity(unchecked) private var destinations: [Destination] = []
  /// The to-many relationships that were read or edited, as a linked list.
  @exclusivity(unchecked) private var firstMembers: ToManyState?
  /// The decoded values of transformable attributes and the values of transient ones, by ordinal.
  /// The value of a transient attribute is `NSNull` if the attribute was set to nil.
  @exclusivity(unchecked) var values: [Int: Any] = [:]
  /// The results of fetched properties, by name.
  @exclusivity(unchecked) var fetched: [String: FetchedObjects] = [:]
  /// The faults that can be read together with this fault.
  @exclusivity(unchecked) var siblings: FaultGroup?

  /// Rarely used fields, stored separately to keep the extras of other objects small.
  private final class Rare {
    @exclusivity(unchecked) var observers: ObjectObservers?
    @exclusivity(unchecked) var eventBaseline: EventBaseline?
    @exclusivity(unchecked) var undoBaseline: UndoBaseline?
    @exclusivity(unchecked) var failedWrites: FailedWrites?
    @exclusivity(unchecked) var misuse: (any Error)?
    @exclusivity(unchecked) var survivor: NSManagedObject?
  }

  @exclusivity(unchecked) private var rare: Rare?

  private func makeRare() -> Rare {
    if let rare { return rare }
    let made = Rare()
    rare = made
    return made
  }

  /// The observers of the object's changes; kept when the object becomes a fault.
  var observers: ObjectObservers? {
    get { rare?.observers }
    set { if newValue != nil || rare != nil { makeRare().observers = newValue } }
  }
  /// The unsaved values before the current event; nil if there were none.
  var eventBaseline: EventBaseline? {
    get { rare?.eventBaseline }
    set { if newValue != nil || rare != nil { makeRare().eventBaseline = newValue } }
  }
  /// The state of the object when its changes were last registered for undo.
  var undoBaseline: UndoBaseline? {
    get { rare?.undoBaseline }
    set { if newValue != nil || rare != nil { makeRare().undoBaseline = newValue } }
  }
  /// The errors of failed writes to an object without a context; nil if there are none.
  var failedWrites: FailedWrites? {
    get { rare?.failedWrites }
    set { if newValue != nil || rare != nil { makeRare().failedWrites = newValue } }
  }
  /// The first misuse of an object that was never in a context; nil if there was none.
  var misuse: (any Error)? {
    get { rare?.misuse }
    set { if newValue != nil || rare != nil { makeRare().misuse = newValue } }
  }
  /// The object into which the running save merged this object, which has left its context.
  var survivor: NSManagedObject? {
    get { rare?.survivor }
    set { if newValue != nil || rare != nil { makeRare().survivor = newValue } }
  }

  // MARK: To-one

  func destination(_ ordinal: Int) -> NSManagedObject? {
    for entry in destinations where entry.ordinal == ordinal { return entry.object }
    return nil
  }

  func setDestination(_ object: NSManagedObject?, _ ordinal: Int) {
    for position in destinations.indices where destinations[position].ordinal == ordinal {
      destinations.remove(at: position)
      break
    }
    if let object { append(Destination(ordinal: ordinal, object: object)) }
  }

  private func append(_ destination: Destination) {
    // Most entities have at most two to-one relationships.
    if destinations.capacity == 0 { destinations.reserveCapacity(2) }
    destinations.append(destination)
  }

  /// Retains the model of a destination.
  func keepModel(_ model: AnyObject, of destination: NSManagedObject, _ ordinal: Int) {
    for position in destinations.indices where destinations[position].ordinal == ordinal {
      if destinations[position].object === destination {
        // Most reads find the model that is already retained.
        if destinations[position].model !== model { destinations[position].model = model }
      } else {
        destinations[position] = Destination(ordinal: ordinal, object: destination, model: model)
      }
      return
    }
    append(Destination(ordinal: ordinal, object: destination, model: model))
  }

  // MARK: To-many

  func members(_ ordinal: Int) -> ToManyState? {
    guard let first = firstMembers else { return nil }
    return first.ordinal == ordinal ? first : members(ordinal, behind: first)
  }

  private func members(_ ordinal: Int, behind state: ToManyState) -> ToManyState? {
    var current = state.next
    while let state = current {
      if state.ordinal == ordinal { return state }
      current = state.next
    }
    return nil
  }

  func makeMembers(_ ordinal: Int, _ relationship: CompiledRelationship?) -> ToManyState {
    makeMembers(ordinal, isOrdered: relationship?.isOrdered == true)
  }

  func makeMembers(_ ordinal: Int, isOrdered: Bool) -> ToManyState {
    if let state = members(ordinal) { return state }
    let state = ToManyState(ordinal: ordinal, isOrdered: isOrdered, next: firstMembers)
    firstMembers = state
    return state
  }

  /// Adds a member to a to-many relationship.
  ///
  /// - Returns: `false` if the object is already a member.
  func add(_ object: NSManagedObject, to ordinal: Int, isOrdered: Bool) -> Bool {
    if firstMembers?.ordinal == ordinal, let isNew = borrowing(firstMembers, { $0.add(object) }) {
      return isNew
    }
    return makeMembers(ordinal, isOrdered: isOrdered).add(object)
  }

  /// Marks the unsaved changes of to-many relationships as saved, and drops unloaded
  /// relationships.
  func adoptMembers() {
    while borrowing(firstMembers, { !$0.isLoaded }) == true { firstMembers = firstMembers?.next }
    var current = firstMembers
    while let state = current {
      state.adoptChanges()
      while borrowing(state.next, { !$0.isLoaded }) == true { state.next = state.next?.next }
      current = state.next
    }
  }

  /// The ordinals of to-many relationships with unsaved changes.
  var editedToMany: [Int] {
    var ordinals: [Int] = []
    forEachMembers { if $0.isEdited { ordinals.append($0.ordinal) } }
    return ordinals
  }

  var hasToManyEdits: Bool {
    var current = firstMembers
    while let state = current {
      if state.isEdited { return true }
      current = state.next
    }
    return false
  }

  func forEachMembers(_ body: (ToManyState) -> Void) {
    var current = firstMembers
    while let state = current {
      current = state.next
      body(state)
    }
  }

  // MARK: Forgetting

  /// Drops everything that was read; called when the object becomes a fault.
  func removeLoaded() {
    destinations.removeAll()
    firstMembers = nil
    values.removeAll()
    fetched.removeAll()
    siblings = nil
    undoBaseline = nil
    eventBaseline = nil
  }

  /// Drops the decoded values of transformable attributes, which depend on the row, but keeps the
  /// values of transient attributes.
  func removeDecodedValues(of entity: CompiledEntity) {
    if values.isEmpty { return }
    values = values.filter { entity.properties[$0.key].isTransient }
  }

  /// Drops the destinations that were read and that satisfy a condition, but keeps to-many
  /// relationships.
  func removeDestinations(where isReplaced: (_ object: NSManagedObject, _ ordinal: Int) -> Bool) {
    if destinations.isEmpty { return }
    destinations.removeAll { isReplaced($0.object, $0.ordinal) }
  }
}
