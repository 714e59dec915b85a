import Foundation
import SampleSupport
import SwiftData

@Model
final class Note {
  var title: String

  init(title: String) { self.title = title }
}

@MainActor let context = {
  do {
    let context = ModelContext(try ModelContainer(for: Note.self))
    context.insert(Note(title: "Tea"))
    try context.save()
    return context
  } catch { preconditionFailure("The container does not open: \(error)") }
}()
@MainActor let token = {
  do {
    let descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
    guard let last = try context.fetchHistory(descriptor).last else {
      preconditionFailure("There is no history.")
    }
    return last.token
  } catch { preconditionFailure("The history is not read: \(error)") }
}()
