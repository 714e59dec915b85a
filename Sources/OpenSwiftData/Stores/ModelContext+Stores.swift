internal import Foundation
internal import OpenObjectGraph

extension ModelContext {
  /// Performs a request, and passes the caller's original request to custom stores.
  func asking<Result>(
    _ question: @autoclosure () -> CallerQuestion, _ request: () throws -> Result
  ) rethrows -> Result {
    graph.takeOverChanges()
    guard !customStores.isEmpty else { return try request() }
    // Observers fetch again after these changes, before the request runs.
    if graph.hasChanges { graph.processPendingChanges() }
    return try answering(question(), request)
  }

  /// Performs a request with the form that custom stores receive; `nil` if the request comes from
  /// the object graph itself, possibly during another request.
  func answering<Result>(
    _ question: CallerQuestion?, _ request: () throws -> Result
  ) rethrows -> Result {
    let outer = graph.question
    graph.question = question
    defer { graph.question = outer }
    return try request()
  }

  /// Refreshes the models whose values a custom store changed during a save, in all contexts of the
  /// container.
  func rereadReregistered() {
    guard !graph.reregistered.isEmpty else { return }
    let interval = graph.stalenessInterval
    graph.stalenessInterval = 0
    defer { graph.stalenessInterval = interval }
    for id in graph.reregistered {
      guard let object = graph.registeredObject(for: id) else { continue }
      graph.refresh(object, mergeChanges: true)
    }
    graph.remoteChanges.reread(graph.reregistered, except: graph)
    graph.reregistered.removeAll()
  }
}
