import Foundation
import OpenCoreData
import OpenManagedMacros
import OpenObjectGraph
import Testing

/// When the hooks of an object are called, and what they can do.
@Suite("Hooks of objects")
struct LifeCycleHookTests {
  private func run(_ type: String, _ work: (NSManagedObjectContext) throws -> Void) throws {
    let context = try HookedItem.container(type).newBackgroundContext()
    try context.performAndWait { try work(context) }
  }

  // MARK: willSave

  @Test(
    "willSave is called again on all changed objects if one of them changes after its call",
    arguments: StoreTypes.both)
  func laterChanges(type: String) throws {
    try run(type) { context in
      let order = HookedItem(context: context)
      let lines = (0..<3).map { _ in HookedItem(context: context) }
      order.parts = Set(lines)
      try context.save()
      order.onWillSave = {
        let total: Int64 = order.parts.reduce(0) { $0 + $1.number }
        if order.number != total { order.number = total }
      }
      for line in lines { line.onWillSave = { if line.number < 10 { line.number = 10 } } }
      order.name = "changed"
      for line in lines { line.name = "changed" }
      try context.save()
      #expect(order.number == 30)
      #expect(!context.hasChanges)
      context.refreshAllObjects()
      #expect(order.number == 30)
      #expect(lines.map(\.number) == [10, 10, 10])
    }
  }

  @Test("willSave is called again on an object that an observer of the save changes")
  func observers() throws {
    try run(NSInMemoryStoreType) { context in
      let item = HookedItem(context: context)
      try context.save()
      item.onWillSave = { if item.name != "\(item.number)" { item.name = "\(item.number)" } }
      let observer = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextWillSave, object: context, queue: nil
      ) { notification in
        let context = notification.object as? NSManagedObjectContext
        for object in context?.updatedObjects ?? [] { object.setValue(100, forKey: "number") }
      }
      defer { NotificationCenter.default.removeObserver(observer) }
      item.number = 1
      try context.save()
      #expect(item.number == 100)
      #expect(item.name == "100")
    }
  }

  @Test(
    "setting equal values in willSave causes no further call (D-401)", arguments: StoreTypes.both)
  func equalValues(type: String) throws {
    try run(type) { context in
      let (owner, item) = (HookedItem(context: context), HookedItem(context: context))
      let date = Date(timeIntervalSinceReferenceDate: 1)
      item.owner = owner
      item.changedAt = date
      try context.save()
      item.onWillSave = {
        item.number = 7
        item.name = "name"
        item.remark = "remark"
        item.changedAt = date
        item.owner = owner
        item.parts = []
        item.setValue(7, forKey: "number")
      }
      item.number = 1
      item.log.calls = []
      try context.save()
      #expect(item.log.calls == ["willSave", "willSave", "didSave"])
      #expect(!context.hasChanges)
      context.refresh(item, mergeChanges: false)
      #expect(item.number == 7 && item.name == "name" && item.owner === owner)
    }
  }

  @Test("a willSave that always changes its object makes the save throw, and the changes stay")
  func endlessChanges() throws {
    try run(NSInMemoryStoreType) { context in
      let item = HookedItem(context: context)
      item.onWillSave = { item.number += 1 }
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .coreData)
      #expect(error?.localizedDescription.contains("setPrimitiveValue") == true)
      #expect(item.isInserted && item.objectID.isTemporaryID)
      item.onWillSave = { item.setPrimitiveValue(item.number + 1, forKey: "number") }
      item.number = 1
      try context.save()
      context.refresh(item, mergeChanges: false)
      #expect(item.number == 2)
    }
  }

  @Test("a willSave that saves its context is not called again by the inner save")
  func innerSave() throws {
    try run(NSInMemoryStoreType) { context in
      let item = HookedItem(context: context)
      try context.save()
      item.onWillSave = {
        item.number += 1
        do { try context.save() } catch { Issue.record(error) }
      }
      item.name = "changed"
      item.log.calls = []
      try context.save()
      #expect(item.log.calls == ["willSave", "didSave"])
      #expect(item.number == 1)
      #expect(!context.hasChanges)
    }
  }

  @Test("objects that an inner save has saved are not called again by the outer save")
  func innerSaveOfOthers() throws {
    try run(NSInMemoryStoreType) { context in
      let (first, second) = (HookedItem(context: context), HookedItem(context: context))
      try context.save()
      first.onWillSave = { do { try context.save() } catch { Issue.record(error) } }
      second.onWillSave = { second.number = 1 }
      first.name = "changed"
      second.name = "changed"
      second.log.calls = []
      try context.save()
      #expect(second.log.calls.count { $0 == "willSave" } == 2)
      #expect(second.log.calls.last == "didSave")
      #expect(!context.hasChanges && context.checkInvariants() == [])
    }
  }

  // MARK: Deletions

  @Test(
    "isDeleted is true in didSave after a deletion, and false afterward",
    arguments: StoreTypes.both)
  func deletionInDidSave(type: String) throws {
    try run(type) { context in
      let (deleted, updated) = (HookedItem(context: context), HookedItem(context: context))
      try context.save()
      var seen: [Bool] = []
      for item in [deleted, updated] { item.onDidSave = { seen.append(item.isDeleted) } }
      context.delete(deleted)
      updated.number = 1
      try context.save()
      #expect(seen == [false, true])
      #expect(!deleted.isDeleted && !deleted.hasChanges)
    }
  }

  @Test(
    "objects whose prepareForDeletion deletes each other are each deleted once",
    arguments: StoreTypes.both)
  func mutualDeletion(type: String) throws {
    try run(type) { context in
      let (owner, part) = (HookedItem(context: context), HookedItem(context: context))
      part.owner = owner
      try context.save()
      owner.onPrepare = {
        #expect(owner.isDeleted)
        context.delete(owner)
        for part in owner.parts where !part.isDeleted { context.delete(part) }
      }
      part.onPrepare = { if let owner = part.owner { context.delete(owner) } }
      for item in [owner, part] { item.log.calls = [] }
      context.delete(owner)
      #expect(owner.isDeleted && part.isDeleted)
      #expect(owner.log.calls == ["prepareForDeletion"])
      #expect(part.log.calls == ["prepareForDeletion"])
      try context.save()
      let request = NSFetchRequest<HookedItem>(entityName: "HookedItem")
      #expect(try context.count(for: request) == 0)
    }
  }

  // MARK: Faults

  @Test("fault hooks are called on objects that are not faults, also by a reset")
  func faults() throws {
    try run(NSSQLiteStoreType) { context in
      let item = HookedItem(context: context)
      item.name = "name"
      try context.save()
      item.log.calls = []
      context.refresh(item, mergeChanges: false)
      #expect(item.log.calls == ["willTurnIntoFault name", "didTurnIntoFault"])
      context.refresh(item, mergeChanges: false)
      context.refreshAllObjects()
      #expect(item.log.calls.count == 2)
      #expect(item.isFault)
      #expect(item.name == "name")
      item.log.calls = []
      context.reset()
      #expect(item.log.calls == ["willTurnIntoFault name", "didTurnIntoFault"])
      #expect(item.isFault && item.managedObjectContext == nil)
    }
  }

  @Test(
    "fault hooks are called after a save that deleted the object, which keeps its values (D-400)")
  func faultsAfterDeletion() throws {
    try run(NSSQLiteStoreType) { context in
      let item = HookedItem(context: context)
      item.name = "name"
      try context.save()
      context.delete(item)
      item.log.calls = []
      try context.save()
      #expect(
        item.log.calls == ["willSave", "didSave", "willTurnIntoFault name", "didTurnIntoFault"])
      #expect(item.name == "name" && !item.isFault)
    }
  }

  // MARK: Snapshots

  @Test(
    "a refresh that keeps changes and a rollback call awake(fromSnapshotEvents:)",
    arguments: StoreTypes.both)
  func snapshots(type: String) throws {
    try run(type) { context in
      let (item, deleted) = (HookedItem(context: context), HookedItem(context: context))
      item.name = "a"
      try context.save()
      context.refresh(item, mergeChanges: true)
      #expect(item.snapshots == [.refresh])
      #expect(item.remark == "remark of a" && !context.hasChanges)
      item.name = "b"
      context.delete(deleted)
      context.rollback()
      #expect(item.snapshots == [.refresh, .rollback] && deleted.snapshots == [.rollback])
      #expect(item.name == "a" && item.remark == "remark of a" && !context.hasChanges)
      context.refreshAllObjects()
      #expect(item.snapshots.count == 2)
    }
  }

  @Test("a merge and a merge policy call awake(fromSnapshotEvents:)", arguments: StoreTypes.both)
  func mergedSnapshots(type: String) throws {
    let container = try HookedItem.container(type)
    let (reader, writer) = (container.newBackgroundContext(), container.newBackgroundContext())
    reader.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    let (item, id) = try reader.performAndWait { () throws -> (HookedItem, NSManagedObjectID) in
      let item = HookedItem(context: reader)
      item.name = "a"
      try reader.save()
      return (item, item.objectID)
    }
    func write(_ name: String) throws {
      try writer.performAndWait { () throws in
        try writer.existingObject(with: id).setValue(name, forKey: "name")
        try writer.save()
      }
    }
    try write("b")
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [NSUpdatedObjectsKey: [id]], into: [reader])
    reader.performAndWait {
      #expect(item.snapshots == [.refresh])
      #expect(item.name == "b" && item.remark == "remark of b" && !reader.hasChanges)
    }
    try write("c")
    try reader.performAndWait { () throws in
      item.number = 1
      try reader.save()
      #expect(item.snapshots == [.refresh, .mergePolicy])
      #expect(item.name == "c" && item.remark == "remark of c" && !reader.hasChanges)
    }
  }

  @Test("deallocating an object calls no fault hooks (D-400)")
  func deallocation() throws {
    try run(NSSQLiteStoreType) { context in
      let log = HookLog()
      weak var released: HookedItem?
      do {
        let item = HookedItem(context: context)
        item.log = log
        item.name = "name"
        try context.save()
        log.calls = []
        released = item
      }
      #expect(released == nil)
      #expect(log.calls.isEmpty)
    }
  }
}

/// The hooks that were called.
final class HookLog {
  var calls: [String] = []
}

/// Records its hooks, and runs a closure in some of them.
@ManagedObject
final class HookedItem: NSManagedObject {
  @Managed var number: Int64
  @Managed var name: String?
  /// A transient value.
  @Managed var remark: String?
  @Managed var changedAt: Date?
  @Managed var owner: HookedItem?
  @Managed var parts: Set<HookedItem>
  var log = HookLog()
  var onWillSave: (() -> Void)?
  var onDidSave: (() -> Void)?
  var onPrepare: (() -> Void)?
  /// The events that replaced values of the object.
  var snapshots: [NSSnapshotEventType] = []

  override func willSave() {
    super.willSave()
    log.calls.append("willSave")
    onWillSave?()
  }

  override func didSave() {
    super.didSave()
    log.calls.append("didSave")
    onDidSave?()
  }

  override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
    super.awake(fromSnapshotEvents: flags)
    snapshots.append(flags)
    remark = name.map { "remark of \($0)" }
  }

  override func prepareForDeletion() {
    super.prepareForDeletion()
    log.calls.append("prepareForDeletion")
    onPrepare?()
  }

  override func willTurnIntoFault() {
    super.willTurnIntoFault()
    log.calls.append("willTurnIntoFault \(name ?? "")")
  }

  override func didTurnIntoFault() {
    super.didTurnIntoFault()
    log.calls.append("didTurnIntoFault")
  }

  /// A container over a new store of a type.
  static func container(_ type: String) throws -> NSPersistentContainer {
    let item = NSEntityDescription()
    item.name = "HookedItem"
    item.managedObjectClassName = "HookedItem"
    let number = attribute("number", .integer64)
    number.defaultValue = NSNumber(value: 0)
    let remark = attribute("remark", .string)
    remark.isTransient = true
    let (owner, parts) = (NSRelationshipDescription(), NSRelationshipDescription())
    owner.name = "owner"
    owner.maxCount = 1
    parts.name = "parts"
    for relationship in [owner, parts] { relationship.destinationEntity = item }
    owner.inverseRelationship = parts
    parts.inverseRelationship = owner
    item.properties = [
      number, attribute("name", .string), remark, attribute("changedAt", .date), owner, parts,
    ]
    let model = NSManagedObjectModel()
    model.entities = [item]
    return try .loaded("Hooked", model, [NSPersistentStoreDescription(type: type)])
  }
}
