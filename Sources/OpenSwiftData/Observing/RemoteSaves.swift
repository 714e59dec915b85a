internal import Foundation

/// An object that merges the saves of other contexts and processes on an actor.
protocol RemoteSavesTaker: AnyObject {
  func catchUp()
  /// Fetches the results again, after changes that are not known.
  func fetchAgain()
}

/// Calls an object on its actor when another context or process saves to a container's stores.
///
/// > Concurrency: Created on the actor. The owner may release the object on any thread.
final class RemoteSaves: Sendable {
  private let observation: NotificationToken
  /// The container, which posts notifications only while it exists.
  private let container: ModelContainer

  /// Creates the observation, or returns `nil` without an actor.
  ///
  /// - Parameters:
  ///   - container: The container whose stores are observed.
  ///   - actor: The actor of the object; `nil` if the object merges saves only at the next use.
  ///   - taker: A weak reference to the object.
  init?(
    of container: ModelContainer, on actor: (any Actor)?, _ taker: WeakTaker
  ) {
    guard let actor else { return nil }
    self.container = container
    observation = NotificationToken(ModelContainer.remoteChange, container) { [weak actor] _ in
      // The actor may retain the object, which retains the observation.
      guard let actor else { return }
      Task { await Self.run(taker, on: actor) }
    }
  }

  private static func run(
    _ taker: WeakTaker, on actor: isolated any Actor
  ) async {
    taker.taker?.catchUp()
  }
}

/// A weak reference that can be passed to the actor of its object.
struct WeakTaker: @unchecked Sendable {
  weak let taker: (any RemoteSavesTaker)?

  init(_ taker: any RemoteSavesTaker) { self.taker = taker }
}
