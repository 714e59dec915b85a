internal import Foundation

/// What takes over saves of others on its actor.
protocol RemoteSavesTaker: AnyObject {
  func catchUp()
}

/// Has an object of an actor take over what others saved to a container's stores.
///
/// > Concurrency: Made on the actor; ends with its owner, on any thread.
final class RemoteSaves: Sendable {
  private let observation: NotificationToken

  /// - Parameter actor: The actor that the taker is confined to; nil has it take over saves when it is used.
  init?(
    of container: ModelContainer, on actor: (any Actor)?, _ taker: WeakTaker
  ) {
    guard let actor else { return nil }
    observation = NotificationToken(ModelContainer.remoteChange, container) { _ in
      Task { await Self.run(taker, on: actor) }
    }
  }

  private static func run(
    _ taker: WeakTaker, on actor: isolated any Actor
  ) async {
    taker.taker?.catchUp()
  }
}

/// A weak reference that crosses threads on its way to the actor of its object.
// Invariant of the unchecked conformance: the object is used on its actor only.
struct WeakTaker: @unchecked Sendable {
  weak let taker: (any RemoteSavesTaker)?

  init(_ taker: any RemoteSavesTaker) { self.taker = taker }
}
