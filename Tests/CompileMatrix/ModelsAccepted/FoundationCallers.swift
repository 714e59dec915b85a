import SwiftData

// Types that belong to Foundation on Apple platforms, and that the open Foundation lacks.

nonisolated final class ReversingTransformer: ValueTransformer {
  override func transformedValue(_ value: Any?) -> Any? {
    (value as? String).map { Data($0.reversed().map(String.init).joined().utf8) }
  }
}

nonisolated func undoAll(_ context: ModelContext) {
  let manager = context.undoManager ?? UndoManager()
  context.undoManager = manager
  while manager.canUndo { manager.undo() }
}

nonisolated let reversing = NSValueTransformerName("Reversing")
