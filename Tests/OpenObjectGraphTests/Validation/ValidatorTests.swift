import Foundation
import OpenCoreData
import OpenManagedMacros
import Synchronization
import Testing

/// An error from outside the library.
struct ForeignError: Error, Equatable {
  var reason = "foreign"
}

/// A class whose methods execute the commands in its texts.
@ManagedObject
class StrictNote: NSManagedObject {
  @Managed var text: String?
  @Managed var number: Int32
  @Managed var next: StrictNote?
  @Managed var previous: StrictNote?

  func validateText(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
    switch value.pointee as? String {
    case "foreign": throw ForeignError()
    case "empty":
      throw CocoaError(.validationMultipleErrors, userInfo: [NSDetailedErrorsKey: [any Error]()])
    case "remove": value.pointee = nil
    case "wrong": value.pointee = NSDate()
    case "grow": value.pointee = "grow" as NSString
    case "unstable": value.pointee = "unstable2" as NSString
    case "unstable2": value.pointee = "unstable" as NSString
    case "lengthen": value.pointee = "much too long for the model" as NSString
    case "other": if previous?.text != "changed" { previous?.text = "  changed  " }
    case "insert": _ = managedObjectContext.map { StrictNote(context: $0) }
    case "delete": previous.map { managedObjectContext?.delete($0) }
    case "save": try managedObjectContext?.save()
    case "again": try validateValue(value, forKey: "text")
    case let text?:
      let trimmed = text.trimmingCharacters(in: .whitespaces)
      if trimmed != text { value.pointee = trimmed as NSString }
    case nil: break
    }
  }

  func validateNumber(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
    if value.pointee as? Int == 13 { throw ForeignError(reason: "thirteen") }
  }

  override func validateForUpdate() throws {
    try super.validateForUpdate()
    if text == "frozen" { throw ForeignError(reason: "frozen") }
  }
}

/// Adds a validator to the inherited ones.
@ManagedObject
final class StricterNote: StrictNote {
  func validateNext(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
    if value.pointee === self { throw ForeignError(reason: "itself") }
  }
}

/// A class without the macro, which overrides the general method.
class PlainNote: NSManagedObject {
  static let keys = Mutex<Set<String>>([])

  override func validateValue(
    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
  ) throws {
    _ = Self.keys.withLock { $0.insert(key) }
    try super.validateValue(value, forKey: key)
    if key == "number", value.pointee as? Int == 7 { value.pointee = NSNumber(value: 8) }
  }
}

/// Validators of classes: methods for single properties, and overrides.
@Suite("Validation by classes")
struct ValidatorTests {
  private func entity(_ type: NSManagedObject.Type, in model: NSManagedObjectModel) {
    let entity = NSEntityDescription()
    entity.name = "\(type)"
    entity.managedObjectClassName = "\(type)"
    let text = NSAttributeDescription()
    text.name = "text"
    text.type = .string
    text.setValidationPredicates(
      [NSPredicate(format: "length <= 12")], withValidationWarnings: ["too long"])
    let number = NSAttributeDescription()
    number.name = "number"
    number.type = .integer32
    number.defaultValue = 0
    let next = NSRelationshipDescription()
    let previous = NSRelationshipDescription()
    for (relationship, name) in [(next, "next"), (previous, "previous")] {
      relationship.name = name
      relationship.maxCount = 1
      relationship.destinationEntity = entity
    }
    (next.inverseRelationship, previous.inverseRelationship) = (previous, next)
    entity.properties = [text, number, next, previous]
    model.entities.append(entity)
  }

  private func context() throws -> NSManagedObjectContext {
    let model = NSManagedObjectModel()
    for type in [StrictNote.self, StricterNote.self, PlainNote.self] as [NSManagedObject.Type] {
      entity(type, in: model)
    }
    return try ValidationModel.context(of: model)
  }

  /// Runs work with a new note that has a text.
  private func withNote(
    _ text: String, _ body: (StrictNote, NSManagedObjectContext) throws -> Void
  ) throws {
    let context = try context()
    try context.performAndWait {
      let note = StrictNote(context: context)
      note.text = text
      try body(note, context)
    }
  }

  @Test("a validator's replacement value is saved")
  func replacement() throws {
    try withNote("  tea ") { note, context in
      try context.save()
      #expect(note.text == "tea")
      context.refresh(note, mergeChanges: false)
      #expect(note.text == "tea")
      note.text = "remove"
      try context.save()
      #expect(note.text == nil)
    }
  }

  @Test("a replacement that the model or the property's type does not allow makes the save throw")
  func badReplacement() throws {
    try withNote("wrong") { note, context in
      #expect(throws: ObjectError.self) { try context.save() }
      #expect(note.text == "wrong")
    }
    try withNote("lengthen") { note, context in
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .managedObjectValidation)
      #expect(error?.validationValue as? String == note.text)
    }
  }

  @Test("foreign errors reach the caller unchanged, several of them as details")
  func foreignErrors() throws {
    try withNote("foreign") { note, context in
      #expect(throws: ForeignError()) { try context.save() }
      note.number = 13
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .validationMultipleErrors)
      let details = error?.userInfo[NSDetailedErrorsKey] as? [any Error] ?? []
      #expect(
        details.compactMap { ($0 as? ForeignError)?.reason }.sorted() == ["foreign", "thirteen"])
    }
    try withNote("empty") { _, context in
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .validationMultipleErrors)
    }
  }

  @Test("an override adds its check to those of super")
  func overriding() throws {
    try withNote("fine") { note, context in
      try context.save()
      note.text = "frozen"
      #expect(throws: ForeignError(reason: "frozen")) { try context.save() }
    }
  }

  @Test("objects that a validator changes, inserts or deletes are also validated and saved")
  func sideEffects() throws {
    try withNote("fine") { first, context in
      let second = StrictNote(context: context)
      second.previous = first
      try context.save()
      second.text = "other"
      try context.save()
      #expect(first.text == "changed")
      #expect(!context.hasChanges)
      second.text = "insert"
      #expect(throws: CocoaError.self) { try context.save() }
      context.rollback()
      second.text = "delete"
      try context.save()
      #expect(first.managedObjectContext == nil)
      #expect(try context.count(for: NSFetchRequest<StrictNote>(entityName: "StrictNote")) == 1)
    }
  }

  @Test("validators that never finish, save or call themselves cause an error, not a hang")
  func recursion() throws {
    try withNote("unstable") { _, context in
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .coreData)
    }
    try withNote("grow") { _, context in try context.save() }
    for text in ["save", "again"] {
      try withNote(text) { note, context in
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code == .coreData)
        note.text = "good"
        try context.save()
      }
    }
  }

  @Test("validateValue checks a value at once, changes nothing, and converts values to their type")
  func direct() throws {
    try withNote("fine") { note, _ in
      var value: AnyObject? = "  long enough to be refused  " as NSString
      let tooLong = #expect(throws: CocoaError.self) {
        try note.validateValue(&value, forKey: "text")
      }
      #expect(tooLong?.localizedDescription == "text: too long")
      value = " x " as NSString
      try note.validateValue(&value, forKey: "text")
      #expect(value as? String == "x")
      #expect(note.text == "fine")
      value = NSNumber(value: 3.7)
      try note.validateValue(&value, forKey: "number")
      #expect(value as? Int == 3)
      value = NSNull()
      try note.validateValue(&value, forKey: "number")
      #expect(value == nil)
      value = NSDate()
      for key in ["text", "number", "next"] {
        let error = #expect(throws: CocoaError.self) {
          try note.validateValue(&value, forKey: key)
        }
        #expect(error?.code == .managedObjectValidation)
        #expect(error?.validationKey == key)
      }
      try note.validateValue(&value, forKey: "nonsense")
    }
  }

  @Test("a subclass has its own validators and those of its superclass")
  func inheritance() throws {
    let context = try context()
    try context.performAndWait {
      let note = StricterNote(context: context)
      note.text = " tea "
      note.next = note
      #expect(throws: ForeignError(reason: "itself")) { try context.save() }
      note.next = nil
      try context.save()
      #expect(note.text == "tea")
    }
  }

  @Test("an override of validateValue is called for every property, also without the macro")
  func plainClass() throws {
    let context = try context()
    try context.performAndWait {
      let note = PlainNote(context: context)
      note.setValue(7, forKey: "number")
      try context.save()
      #expect(note.value(forKey: "number") as? Int == 8)
      #expect(PlainNote.keys.withLock { $0 } == ["text", "number", "next", "previous"])
    }
  }

  @Test("a save throws 134060 if an observer changes objects again and again")
  func observers() throws {
    try withNote("fine") { note, context in
      let token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
      ) { notification in
        let context = notification.object as? NSManagedObjectContext
        for case let note as StrictNote in context?.insertedObjects ?? [] { note.number += 1 }
      }
      defer { NotificationCenter.default.removeObserver(token) }
      note.text = " trimmed "
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .coreData)
      #expect(note.isInserted)
    }
  }

  @Test("a child context validates its objects when it is saved")
  func child() throws {
    try withNote("fine") { _, context in
      try context.save()
      let child = context.makeChild()
      child.performAndWait {
        let note = StrictNote(context: child)
        note.text = "foreign"
        #expect(throws: ForeignError()) { try child.save() }
      }
    }
  }
}
