import CoreData
import Foundation
import Testing

@Suite("Kinds of managed properties")
struct PropertyKindTests {
  private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ShelfModel.make())
  private let context: NSManagedObjectContext

  init() throws {
    _ = try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
  }

  private func filled() -> (Shelf, [Volume]) {
    let shelf = Shelf(context: context)
    shelf.name = "History"
    let volumes = ["Emma", "Ada", "Bea"].map { title in
      let volume = Volume(context: context)
      (volume.title, volume.shelf, volume.binding) = (title, shelf, .cloth)
      return volume
    }
    return (shelf, volumes)
  }

  @Test("properties of Foundation's classes and of enumerations keep their values")
  func values() throws {
    try context.performAndWait {
      let (shelf, volumes) = filled()
      let emma = volumes[0]
      (emma.price, emma.pages, emma.spare) = (NSDecimalNumber(string: "9.95"), 512, .leather)
      emma.printed = NSDate(timeIntervalSinceReferenceDate: 5)
      try context.save()
      context.refresh(emma, mergeChanges: false)
      #expect(emma.price == NSDecimalNumber(string: "9.95") && emma.pages == 512)
      #expect(emma.printed.timeIntervalSinceReferenceDate == 5)
      #expect(emma.binding == .cloth && emma.spare == .leather && volumes[1].spare == nil)
      #expect(emma.shelf === shelf && emma.value(forKey: "binding") as? Int16 == 2)
      #expect(shelf.volumes?.count == 3)
      shelf.volumes = nil
      #expect(shelf.volumes?.isEmpty == true)
    }
  }

  @Test("an optional enumeration without a case for the stored value is nil, and the save throws")
  func unknownCase() throws {
    try context.performAndWait {
      let volume = filled().1[0]
      try context.save()
      volume.setValue(99, forKey: "spare")
      #expect(volume.spare == nil)
      let error = #expect(throws: (any Error).self) { try context.save() }
      #expect(error.map { "\($0)".contains("spare") } == true)
      #expect(volume.value(forKey: "spare") as? Int == 99)
      volume.setValue(3, forKey: "spare")
      try context.save()
      #expect(volume.spare == .leather)
    }
  }

  @Test("reading nil through a nonoptional type returns an empty value, and the save throws")
  func missingValues() throws {
    try context.performAndWait {
      let volume = Volume(context: context)
      volume.title = "Loose"
      for read in [
        { _ = volume.price }, { _ = volume.pages }, { _ = volume.printed },
        { _ = volume.shelf.name }, { _ = volume.binding },
      ] {
        read()
        #expect(throws: (any Error).self) { try context.save() }
      }
      volume.setValue(99, forKey: "binding")
      #expect(volume.binding == .paper && volume.spare == nil)
      #expect(throws: (any Error).self) { try context.save() }
      volume.binding = .leather
      try context.save()
      #expect(volume.value(forKey: "binding") as? Int == 3)
    }
  }

  @Test("a value of another type than the property is read like null, and the save throws (D-223)")
  func otherTypes() throws {
    let model = ShelfModel.make()
    model.entitiesByName["Volume"]?.managedObjectClassName = "Misdeclared"
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    _ = try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let volume = Misdeclared(context: context)
      #expect(volume.title == 0 && volume.pages == nil && volume.printed == nil)
      try context.save()
      let values: [String: Any] = [
        "title": "Emma", "binding": 2, "spare": 3, "price": 9.5, "pages": 512, "printed": Date(),
      ]
      for (key, value) in values { volume.setValue(value, forKey: key) }
      for read in [
        { volume.title == 0 }, { volume.binding == "" }, { volume.spare == nil },
        { volume.price == Data() }, { volume.pages == nil }, { volume.printed == nil },
      ] {
        #expect(read())
        #expect(throws: (any Error).self) { try context.save() }
      }
      try context.save()
      #expect(volume.value(forKey: "title") as? String == "Emma")
    }
  }

  @Test("mutableSetValue(forKey:) is live in both directions")
  func mutableSet() throws {
    try context.performAndWait {
      let (shelf, volumes) = filled()
      let set = shelf.mutableSetValue(forKey: "volumes")
      #expect(set.count == 3 && set.contains(volumes[0]))
      set.remove(volumes[0])
      #expect(volumes[0].value(forKey: "shelf") == nil && shelf.volumes?.count == 2)
      volumes[0].shelf = shelf
      #expect(set.count == 3 && set.allObjects.count == 3)
      set.intersect([volumes[1]])
      #expect(shelf.volumes == [volumes[1]])
      set.union([volumes[2]])
      #expect(Set(set.compactMap { ($0 as? Volume)?.title }) == ["Ada", "Bea"])
      #expect(Set<Volume>.__recast(set) == shelf.volumes)
      #expect(Set<Shelf>.__recast(set) == nil)
      #expect(Set<Volume>.__recast(NSSet()) == nil)
      try context.save()
      set.add("a text")
      let error = #expect(throws: (any Error).self) { try context.save() }
      #expect(error?.localizedDescription.contains("Property: volumes.") == true)
      #expect(shelf.mutableSetValue(forKey: "name").count == 0)
      #expect(throws: (any Error).self) { try context.save() }
    }
  }

  @Test("mutableSetValue(forKeyPath:) and mutableOrderedSetValue(forKeyPath:) follow the path")
  func mutableSetsByKeyPath() throws {
    try context.performAndWait {
      let (shelf, volumes) = filled()
      let set = volumes[0].mutableSetValue(forKeyPath: "shelf.volumes")
      set.remove(volumes[1])
      #expect(shelf.volumes == [volumes[0], volumes[2]])
      volumes[0].place = shelf
      let ordered = volumes[0].mutableOrderedSetValue(forKeyPath: "place.order")
      ordered.insert(volumes[2], at: 0)
      #expect((shelf.order.array as? [Volume]) == [volumes[2], volumes[0]])
      #expect(shelf.mutableSetValue(forKeyPath: "volumes").count == 2)
      try context.save()
      let ofNil = volumes[1].mutableSetValue(forKeyPath: "shelf.volumes")
      ofNil.add(volumes[1])
      #expect(ofNil.count == 0 && volumes[1].value(forKey: "shelf") == nil)
      #expect(volumes[1].mutableOrderedSetValue(forKeyPath: "place.order").count == 0)
      try context.save()
      #expect(shelf.mutableSetValue(forKeyPath: "name.volumes").count == 0)
      #expect(throws: (any Error).self) { try context.save() }
    }
  }

  @Test("an ordered relationship is a live NSMutableOrderedSet, with all of its ways to change")
  func orderedSet() throws {
    try context.performAndWait {
      let (shelf, volumes) = filled()
      let set = shelf.order
      set.addObjects(from: volumes)
      #expect(titles(shelf) == ["Emma", "Ada", "Bea"] && volumes[0].place === shelf)
      set.exchangeObject(at: 0, withObjectAt: 2)
      set.moveObjects(at: IndexSet(integer: 0), to: 1)
      #expect(titles(shelf) == ["Ada", "Bea", "Emma"])
      set.removeObject(at: 0)
      #expect(volumes[1].place == nil && set.count == 2)
      set.insert(volumes[1], at: 1)
      set.replaceObject(at: 0, with: volumes[2])
      #expect(titles(shelf) == ["Bea", "Ada", "Emma"])
      set.sort(using: [NSSortDescriptor(key: "title", ascending: true)])
      #expect(titles(shelf) == ["Ada", "Bea", "Emma"])
      try context.save()
      volumes[0].place = nil
      #expect(set.count == 2 && (set.array as? [Volume]) == [volumes[1], volumes[2]])
      #expect(set.contains(volumes[1]) && set.index(of: volumes[2]) == 1)
      #expect(Set(set.set.compactMap { ($0 as? Volume)?.title }) == ["Ada", "Bea"])
      set.insert(volumes[0], at: 7)
      #expect(throws: (any Error).self) { try context.save() }
      try context.save()
      #expect(set.count == 2)
    }
  }

  @Test("each way to change a live ordered set changes the relationship as it changes a plain set")
  func orderedMutations() throws {
    try context.performAndWait {
      let (shelf, made) = filled()
      let extra = ["Cleo", "Dora"].map { title in
        let volume = Volume(context: context)
        volume.title = title
        return volume
      }
      let all = made + extra
      let others = NSOrderedSet(array: [all[0], all[3], all[4]])
      let hashed = Set<AnyHashable>([all[1], all[3]])
      let byTitle: (Any, Any) -> ComparisonResult = { one, other in
        let titles = [one, other].map { ($0 as? Volume)?.title ?? "" }
        return titles[0].compare(titles[1])
      }
      let changes: [(String, (NSMutableOrderedSet) -> Void)] = [
        ("insert", { $0.insert(all[3], at: 1) }), ("add", { $0.add(all[3]) }),
        ("insert again", { $0.insert(all[0], at: 2) }), ("remove", { $0.remove(all[1]) }),
        ("add several", { $0.add([all[3], all[4]] as [AnyObject], count: 2) }),
        ("set", { $0.setObject(all[3], at: 1) }), ("append", { $0.setObject(all[3], at: 3) }),
        ("subscript", { $0[0] = all[4] }),
        ("exchange", { $0.exchangeObject(at: 0, withObjectAt: 2) }),
        ("move", { $0.moveObjects(at: IndexSet([0, 2]), to: 0) }),
        ("insert several", { $0.insert([all[3], all[4]], at: IndexSet([0, 2])) }),
        ("insert several again", { $0.insert([all[2], all[3]], at: IndexSet([0, 1])) }),
        ("replace", { $0.replaceObject(at: 2, with: all[3]) }),
        ("replace several", { $0.replaceObjects(at: IndexSet([0, 1]), with: [all[3], all[4]]) }),
        ("remove places", { $0.removeObjects(at: IndexSet([0, 2])) }),
        ("remove a range", { $0.removeObjects(in: NSRange(location: 0, length: 2)) }),
        ("remove several", { $0.removeObjects(in: [all[0], all[4]]) }),
        ("remove all", { $0.removeAllObjects() }),
        ("minus", { $0.minus(others) }), ("union", { $0.union(others) }),
        ("minus a set", { $0.minusSet(hashed) }),
        ("union a set", { $0.unionSet(hashed.intersection([all[3]])) }),
        ("sort", { $0.sort(comparator: byTitle) }),
        (
          "sort a range",
          {
            $0.sortRange(
              NSRange(location: 1, length: 2), options: [], usingComparator: byTitle)
          }
        ),
      ]
      for (name, change) in changes {
        let plain = NSMutableOrderedSet(array: made)
        shelf.order = NSMutableOrderedSet(array: made)
        let live = shelf.order
        change(plain)
        change(live)
        let expected = plain.compactMap { ($0 as? Volume)?.title }
        #expect(titles(shelf) == expected, "\(name)")
        #expect(live.compactMap { ($0 as? Volume)?.title } == expected, "\(name)")
        #expect((live.array as? [Volume])?.map(\.title) == expected, "\(name)")
      }
      // Foundation's own sets loop forever on these.
      for intersect in [
        { (set: NSMutableOrderedSet) in set.intersect(others) }, { $0.intersectSet([all[0]]) },
      ] {
        shelf.order = NSMutableOrderedSet(array: made)
        intersect(shelf.order)
        #expect(titles(shelf) == ["Emma"])
      }
      try context.save()
    }
  }

  /// Apple, NSMutableOrderedSet: the first object replaces the object at the lowest index.
  @Test("members of a live ordered set can replace each other, and members elsewhere move")
  func orderedReplacements() throws {
    try context.performAndWait { () throws in
      let (shelf, made) = filled()
      let dora = Volume(context: context)
      dora.title = "Dora"
      shelf.order = NSMutableOrderedSet(array: made)
      let set = shelf.order
      set.replaceObjects(at: IndexSet([0, 1]), with: [made[1], made[0]])
      #expect(titles(shelf) == ["Ada", "Emma", "Bea"])
      set.replaceObjects(at: IndexSet([0, 1, 2]), with: [made[2], made[0], made[1]])
      #expect(titles(shelf) == ["Bea", "Emma", "Ada"])
      let objects: [AnyObject] = [made[1], dora]
      objects.withUnsafeBufferPointer {
        set.replaceObjects(
          in: NSRange(location: 1, length: 1), with: $0.baseAddress, count: $0.count)
      }
      #expect(titles(shelf) == ["Bea", "Ada", "Dora"] && made[0].place == nil)
      set.replaceObjects(at: IndexSet([0]), with: [dora])
      #expect(titles(shelf) == ["Dora", "Ada"] && dora.place === shelf && made[2].place == nil)
      try context.save()
      for indexes in [IndexSet([0, 7]), IndexSet([0])] {
        set.replaceObjects(at: indexes, with: [made[0], made[2]])
        #expect(titles(shelf) == ["Dora", "Ada"])
        #expect(throws: (any Error).self) { try context.save() }
      }
      set.replaceObjects(at: IndexSet([0, 1]), with: [made[0], made[0]])
      #expect(titles(shelf) == ["Dora", "Ada"])
      #expect(throws: (any Error).self) { try context.save() }
      try context.save()
    }
  }

  private func titles(_ shelf: Shelf) -> [String] {
    shelf.mutableOrderedSetValue(forKey: "order").compactMap { ($0 as? Volume)?.title }
  }

  @Test("a setter written in Swift is not found by key, and the save's error states the remedy")
  func setterByKey() throws {
    try context.performAndWait {
      let (shelf, _) = filled()
      shelf.setValue("Letters", forKey: "label")
      #expect(shelf.name == "History" && shelf.value(forKey: "label") as? String == "History")
      let error = #expect(throws: ObjectError.self) { try context.save() }
      #expect(error?.entityName == "Shelf" && error?.propertyName == "label")
      #expect(
        "\(error as Any)".contains("Assign the property directly, or override setValue(_:forKey:)"))
      #expect(throws: ObjectError.self) { try shelf.setCheckedValue("Letters", forKey: "label") }
      shelf.label = "Letters"
      try context.save()
      #expect(shelf.name == "Letters")
    }
  }

  @Test("accessors of a readable class are found by key, and an overridden value(forKey:) is used")
  func accessors() throws {
    try context.performAndWait {
      let (shelf, volumes) = filled()
      #expect(volumes[0].value(forKey: "initial") as? String == "E")
      #expect(volumes[0].value(forKeyPath: "shelf.initial") as? String == "H")
      let predicate = NSPredicate(format: "shelf.capacity == 10 AND shout BEGINSWITH 'A'")
      #expect(volumes.filter(predicate.evaluate).map(\.title) == ["Ada"])
      let descriptor = NSSortDescriptor(key: "initial", ascending: true)
      let sorted = (volumes as NSArray).sortedArray(using: [descriptor])
      #expect(sorted.compactMap { ($0 as? Volume)?.title } == ["Ada", "Bea", "Emma"])
      try context.save()
      let request = NSFetchRequest<Volume>(entityName: "Volume")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let results = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "initial",
        cacheName: nil)
      try results.performFetch()
      #expect(results.sections?.map(\.name) == ["A", "B", "E"])
      let wrong = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "nothing",
        cacheName: nil)
      #expect(throws: (any Error).self) { try wrong.performFetch() }
      #expect(shelf.value(forKey: "nothing") == nil)
    }
  }
}
