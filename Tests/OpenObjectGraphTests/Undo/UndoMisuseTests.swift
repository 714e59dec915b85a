import Foundation
import OpenCoreData
import Testing

/// Misuse for which Apple's undo manager raises exceptions, and the notifications that it posts.
@Suite("Undo manager: misuse and notifications")
struct UndoMisuseTests {
  private func make() -> (UndoManager, UndoableText) {
    let manager = UndoManager()
    return (manager, UndoableText(manager))
  }

  @Test("closing a group that was never opened changes nothing")
  func endWithoutBegin() {
    let (manager, object) = make()
    manager.endUndoGrouping()
    #expect(manager.groupingLevel == 0)
    object.step("a")
    manager.endUndoGrouping()
    manager.undo()
    #expect(object.text == "")
  }

  @Test("undo with open inner groups changes nothing")
  func undoWithOpenGroups() {
    let (manager, object) = make()
    manager.beginUndoGrouping()
    manager.beginUndoGrouping()
    object.text = "a"
    manager.undo()
    #expect(object.text == "a")
    #expect(manager.groupingLevel == 2)
    manager.endUndoGrouping()
    manager.undo()
    #expect(object.text == "")
  }

  @Test("undoing an inner group after further changes does nothing")
  func undoNestedTooLate() {
    let (manager, object) = make()
    manager.beginUndoGrouping()
    object.step("inner")
    object.text = "later"
    manager.undoNestedGroup()
    #expect(object.text == "later")
  }

  @Test("enabling registration once too often changes nothing")
  func enabledTooOften() {
    let (manager, object) = make()
    manager.enableUndoRegistration()
    manager.disableUndoRegistration()
    object.text = "a"
    #expect(!manager.canUndo)
  }

  @Test("outside of groups, without grouping by event, an operation is a separate step")
  func outsideOfGroups() {
    let (manager, object) = make()
    manager.groupsByEvent = false
    object.text = "a"
    object.text = "b"
    #expect(manager.undoCount == 2)
    manager.undo()
    #expect(object.text == "a")
  }

  @Test("an operation that undoes, redoes, or closes other groups is harmless")
  func nestedCalls() {
    let (manager, object) = make()
    object.step("a")
    manager.beginUndoGrouping()
    manager.registerUndo(withTarget: object) { object in
      object.manager.undo()
      object.manager.redo()
      object.manager.undoNestedGroup()
      object.manager.endUndoGrouping()
      object.manager.beginUndoGrouping()
      object.text = "from the operation"
    }
    manager.endUndoGrouping()
    manager.undo()
    #expect(object.text == "from the operation")
    #expect(manager.groupingLevel == 0)
    manager.redo()
    #expect(object.text == "a")
    #expect(manager.undoCount == 2)
  }

  @Test("an operation can empty the stacks while it is undone")
  func removingWhileUndoing() {
    let (manager, object) = make()
    object.step("a")
    manager.registerUndo(withTarget: object) { $0.manager.removeAllActions() }
    manager.undo()
    #expect(!manager.canUndo && !manager.canRedo)
    object.step("b")
    manager.undo()
    #expect(object.text == "a")
  }

  @Test("a negative number of levels keeps all steps")
  func negativeLevels() {
    let (manager, object) = make()
    manager.levelsOfUndo = -3
    for text in ["a", "b"] { object.step(text) }
    #expect(manager.undoCount == 2)
  }

  @Test("notifications report each event in order")
  func notifications() {
    let (manager, object) = make()
    let log = Posted(manager)
    manager.beginUndoGrouping()
    object.text = "a"
    manager.setActionIsDiscardable(true)
    manager.endUndoGrouping()
    #expect(
      log.take() == ["Checkpoint", "DidOpen", "Checkpoint", "WillClose", "DidClose discardable"])
    manager.undo()
    #expect(log.take() == ["Checkpoint", "Checkpoint", "WillUndo", "Checkpoint", "DidUndo"])
    _ = manager.canRedo
    #expect(log.take() == ["Checkpoint"])
    manager.redo()
    #expect(log.take() == ["Checkpoint", "WillRedo", "Checkpoint", "DidRedo"])
    #expect(
      Notification.Name.NSUndoManagerDidUndoChange.rawValue
        == "NSUndoManagerDidUndoChangeNotification")
  }

  /// The short names of the notifications that an undo manager posts.
  private final class Posted: @unchecked Sendable {
    private static let names: [(Notification.Name, String)] = [
      (.NSUndoManagerCheckpoint, "Checkpoint"), (.NSUndoManagerDidOpenUndoGroup, "DidOpen"),
      (.NSUndoManagerWillCloseUndoGroup, "WillClose"),
      (.NSUndoManagerDidCloseUndoGroup, "DidClose"), (.NSUndoManagerWillUndoChange, "WillUndo"),
      (.NSUndoManagerDidUndoChange, "DidUndo"), (.NSUndoManagerWillRedoChange, "WillRedo"),
      (.NSUndoManagerDidRedoChange, "DidRedo"),
    ]
    private var posted: [String] = []
    private var observers: [any NSObjectProtocol] = []

    init(_ manager: UndoManager) {
      for (name, text) in Self.names {
        let observer = NotificationCenter.default.addObserver(
          forName: name, object: manager, queue: nil
        ) { [weak self] notification in
          let isDiscardable =
            notification.userInfo?[NSUndoManagerGroupIsDiscardableKey] as? Bool == true
          self?.posted.append(isDiscardable ? text + " discardable" : text)
        }
        observers.append(observer)
      }
    }

    deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }

    func take() -> [String] {
      defer { posted = [] }
      return posted
    }
  }
}
