// swift-format-ignore-file
import CoreData

// Objects do not leave the thread of their context.

actor NoteKeeper {
  var kept: Note?

  func keep(_ note: Note) { kept = note }
}

nonisolated func send(_ note: Note, to keeper: NoteKeeper) async {
  await keeper.keep(note)  // error [6]: sending 'note' risks causing data races
}

nonisolated func detach(_ note: Note) {
  Task.detached {  // error [6]: passing closure as a 'sending' parameter risks causing data races
    print(note.title)
  }
}
