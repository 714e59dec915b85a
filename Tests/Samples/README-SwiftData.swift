import Foundation
import SampleSupport
import SwiftData

@MainActor func renamed() async throws {
  let context = ModelContext(try ModelContainer(for: Recipe.self))
  try expect(try context.fetch(FetchDescriptor<Recipe>()).map(\.name) == ["Stew"])
}
