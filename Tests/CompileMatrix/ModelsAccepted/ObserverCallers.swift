import Observation
import SwiftData

/// What a view with `@Query` does, without views.
@MainActor
@Observable
final class TripScreen {
  @ObservationIgnored private let observer: ResultsObserver<Trip, String>
  private(set) var names: [String] = []

  init(_ container: ModelContainer, in city: String) throws {
    observer = try ResultsObserver(
      filterBy: #Predicate<Trip> { $0.place.city == city }, sortBy: [SortDescriptor(\.start)],
      sectionBy: \.name, modelContext: container.mainContext)
  }

  var titles: [String] { observer.sections?.sectionTitles ?? [] }

  var trips: [Trip] { Array(observer.results) }

  func refresh() {
    names = withObservationTracking {
      observer.results.map(\.name)
    } onChange: { [weak self] in
      Task { @MainActor in self?.refresh() }
    }
  }

  func follow() async {
    for await trips in observer.updates { names = trips.map(\.name) }
  }
}

@MainActor
func counter(_ container: ModelContainer) throws -> () -> Int {
  let observer = try HistoryObserver(
    observedModels: [Trip.self], authors: ["import"], modelContainer: container)
  return { observer.eventCounter }
}

@ModelActor
actor TripWatcher {
  private var observer: ResultsObserver<Stop, Never>?

  func start() throws -> Int {
    let observer = try ResultsObserver<Stop, Never>(modelContext: modelContext)
    self.observer = observer
    return observer.results.count
  }
}
