import Foundation
import OpenCoreData
import Testing

/// A value whose changes are registered as in an application.
final class UndoableText {
  let manager: UndoManager
  var text = "" {
    didSet { manager.registerUndo(withTarget: self) { $0.text = oldValue } }
  }

  init(_ manager: UndoManager) { self.manager = manager }

  /// Changes the text in a separate undo group.
  func step(_ text: String) {
    manager.beginUndoGrouping()
    self.text = text
    manager.endUndoGrouping()
  }
}

/// The undo manager alone: groups, stacks, names and misuse.
@Suite("Undo manager")
struct UndoManagerTests {
  private func make() -> (UndoManager, UndoableText) {
    let manager = UndoManager()
    return (manager, UndoableText(manager))
  }

  @Test("undo reverts steps in reverse order, and redo applies them again")
  func undoAndRedo() {
    let (manager, object) = make()
    for text in ["a", "b", "c"] { object.step(text) }
    #expect(manager.undoCount == 3)
    manager.undo()
    #expect(object.text == "b")
    manager.undo()
    #expect(object.text == "a")
    #expect(manager.redoCount == 2)
    manager.redo()
    #expect(object.text == "b")
    manager.redo()
    manager.redo()
    #expect(object.text == "c")
    #expect(!manager.canRedo)
    for _ in 0..<4 { manager.undo() }
    #expect(object.text == "")
    #expect(!manager.canUndo)
  }

  @Test("the operations of a group are undone together, last first")
  func groups() {
    let manager = UndoManager()
    let target = NSObject()
    let log = NSMutableArray()
    manager.beginUndoGrouping()
    for number in 1...3 { manager.registerUndo(withTarget: target) { _ in log.add(number) } }
    #expect(manager.groupingLevel == 1)
    manager.endUndoGrouping()
    #expect(manager.groupingLevel == 0)
    manager.undo()
    #expect(log as? [Int] == [3, 2, 1])
    // The operations registered nothing themselves.
    #expect(!manager.canRedo)
  }

  @Test("a new change ends redoing")
  func redoEnds() {
    let (manager, object) = make()
    object.step("a")
    manager.undo()
    #expect(manager.canRedo)
    object.step("b")
    #expect(!manager.canRedo)
    manager.redo()
    #expect(object.text == "b")
  }

  @Test("without a group the first change opens one, and undo closes it")
  func eventGroups() {
    let (manager, object) = make()
    object.text = "a"
    object.text = "b"
    #expect(manager.groupingLevel == 1)
    #expect(manager.canUndo)
    manager.undo()
    #expect(manager.groupingLevel == 0)
    #expect(object.text == "")
    manager.redo()
    #expect(object.text == "b")
    object.text = "c"
    manager.endUndoGrouping()
    object.text = "d"
    manager.endUndoGrouping()
    #expect(manager.undoCount == 3)
  }

  @Test("an inner group can be undone alone while the outer one is open")
  func nestedGroups() {
    let (manager, object) = make()
    manager.beginUndoGrouping()
    object.text = "outer"
    object.step("inner")
    #expect(manager.groupingLevel == 1)
    manager.undoNestedGroup()
    #expect(object.text == "outer")
    manager.redo()
    #expect(object.text == "inner")
    manager.undoNestedGroup()
    manager.endUndoGrouping()
    manager.undo()
    #expect(object.text == "")
  }

  @Test("deeply nested groups cost no recursion")
  func deepNesting() {
    let (manager, object) = make()
    let depth = 20_000
    for _ in 0..<depth { manager.beginUndoGrouping() }
    object.text = "deep"
    for _ in 0..<depth { manager.endUndoGrouping() }
    #expect(manager.undoCount == 1)
    manager.undo()
    #expect(object.text == "")
  }

  @Test("registration can be disabled, and calls are counted")
  func registration() {
    let (manager, object) = make()
    manager.disableUndoRegistration()
    manager.disableUndoRegistration()
    manager.enableUndoRegistration()
    #expect(!manager.isUndoRegistrationEnabled)
    object.text = "a"
    #expect(!manager.canUndo)
    #expect(manager.groupingLevel == 0)
    manager.enableUndoRegistration()
    #expect(manager.isUndoRegistrationEnabled)
    object.step("b")
    manager.undo()
    #expect(object.text == "a")
  }

  @Test("the number of steps is limited by the levels; 0 keeps all")
  func levels() {
    let (manager, object) = make()
    manager.levelsOfUndo = 2
    for text in ["a", "b", "c"] { object.step(text) }
    #expect(manager.undoCount == 2)
    for _ in 0..<3 { manager.undo() }
    #expect(object.text == "a")
    manager.levelsOfUndo = 0
    for number in 0..<50 { object.step("\(number)") }
    #expect(manager.undoCount == 50)
    manager.levelsOfUndo = 7
    #expect(manager.undoCount == 7)
  }

  @Test("all operations, or the operations on a target, can be removed")
  func removing() {
    let (manager, first) = make()
    let second = UndoableText(manager)
    first.step("1")
    second.step("2")
    manager.beginUndoGrouping()
    first.text = "3"
    second.text = "4"
    manager.endUndoGrouping()
    manager.removeAllActions(withTarget: second)
    #expect(manager.undoCount == 2)
    manager.undo()
    #expect(first.text == "1")
    #expect(second.text == "4")
    manager.disableUndoRegistration()
    manager.removeAllActions()
    #expect(!manager.canUndo && !manager.canRedo)
    #expect(manager.isUndoRegistrationEnabled)
  }

  @Test("targets are not retained; operations on deallocated targets do nothing")
  func targets() {
    let manager = UndoManager()
    weak var target: UndoableText?
    do {
      let object = UndoableText(manager)
      object.step("a")
      #expect(manager.canUndo)
      target = object
    }
    #expect(target == nil)
    manager.undo()
    #expect(!manager.canUndo)
  }

  @Test("an object that is released with its operations can remove others in its deinitializer")
  func removingInDeinit() {
    final class Guest {
      let manager: UndoManager
      init(_ manager: UndoManager) { self.manager = manager }
      deinit { manager.removeAllActions(withTarget: self) }
    }
    let manager = UndoManager()
    let target = NSObject()
    for _ in 0..<3 {
      let guest = Guest(manager)
      manager.registerUndo(withTarget: target) { _ in withExtendedLifetime(guest) {} }
      manager.endUndoGrouping()
    }
    manager.levelsOfUndo = 1
    #expect(manager.undoCount == 1)
    manager.removeAllActions()
    #expect(manager.undoCount == 0)
  }

  @Test("names, titles and values belong to steps, and follow them to the redo stack")
  func labels() {
    let (manager, object) = make()
    #expect(manager.undoMenuItemTitle == "Undo")
    object.step("a")
    manager.setActionName("Typing")
    manager.beginUndoGrouping()
    object.text = "b"
    manager.setActionName("Paste")
    manager.setActionUserInfoValue(7, forKey: "count")
    manager.endUndoGrouping()
    #expect(manager.undoActionName == "Paste")
    #expect(manager.undoMenuItemTitle == "Undo Paste")
    #expect(manager.undoActionUserInfoValue(forKey: "count") as? Int == 7)
    manager.undo()
    #expect(manager.undoActionName == "Typing")
    #expect(manager.redoMenuItemTitle == "Redo Paste")
    #expect(manager.redoActionUserInfoValue(forKey: "count") as? Int == 7)
    manager.redo()
    #expect(manager.undoActionName == "Paste")
    #expect(manager.redoActionName == "")
    #expect(manager.undoMenuTitle(forUndoActionName: "X") == "Undo X")
    #expect(manager.redoMenuTitle(forUndoActionName: "") == "Redo")
  }

  @Test("a step is discardable if all its operations are")
  func discardable() {
    let (manager, object) = make()
    manager.beginUndoGrouping()
    object.text = "a"
    manager.setActionIsDiscardable(true)
    #expect(manager.undoActionIsDiscardable)
    object.text = "b"
    #expect(!manager.undoActionIsDiscardable)
    manager.setActionIsDiscardable(true)
    manager.endUndoGrouping()
    #expect(manager.undoActionIsDiscardable)
    manager.undo()
    #expect(manager.redoActionIsDiscardable)
  }

  @Test("an empty group registers no action")
  func emptyGroups() {
    let (manager, _) = make()
    manager.beginUndoGrouping()
    manager.beginUndoGrouping()
    manager.endUndoGrouping()
    manager.endUndoGrouping()
    #expect(!manager.canUndo)
  }

  @Test("code on the main actor registers operations on objects of the main actor")
  @MainActor
  func mainActor() {
    @MainActor final class Model {
      let manager = UndoManager()
      var value = 0
      func set(_ new: Int) {
        let old = value
        manager.registerUndo(withTarget: self) { $0.set(old) }
        value = new
      }
    }
    let model = Model()
    model.set(1)
    model.manager.undo()
    #expect(model.value == 0)
    model.manager.redo()
    #expect(model.value == 1)
  }
}
