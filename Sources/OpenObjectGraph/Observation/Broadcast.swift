internal import Synchronization

/// Distributes the elements of one source to several sequences.
///
/// Each iteration has a mailbox, which begins with the newest element if the source has one. The
/// broadcast keeps the observation alive. The observation ends when the last sequence and the last
/// iteration are released.
///
/// > Concurrency: Any thread.
final class Broadcast<Element: Sendable>: Sendable {
  private struct State {
    var newest: Element?
    var isFinished = false
    var wasIterated = false
    var boxes: [Mailbox<Element>] = []
    var source: (any Sendable)?
  }

  private let state: Mutex<State>
  private let combine: @Sendable (Element, Element) -> Element
  private let beginsWithNewest: Bool

  /// Creates a broadcast of values.
  ///
  /// Each iteration begins with the newest value. A slow iteration receives only the newest value.
  init(_ first: Element) {
    state = Mutex(State(newest: first))
    combine = { $1 }
    beginsWithNewest = true
  }

  /// Creates a broadcast of events.
  ///
  /// The first iteration begins with the events since the broadcast was created. Every later
  /// iteration begins with the next event. A slow iteration receives several events combined into
  /// one.
  init(combining combine: @escaping @Sendable (_ pending: Element, _ newer: Element) -> Element) {
    state = Mutex(State())
    self.combine = combine
    beginsWithNewest = false
  }

  /// Retains the source of the elements for the lifetime of the broadcast.
  func keep(_ source: any Sendable) { state.withLock { $0.source = source } }

  func offer(_ element: Element) {
    let boxes = state.withLock { state in
      if beginsWithNewest {
        state.newest = element
      } else if !state.wasIterated {
        state.newest = state.newest.map { combine($0, element) } ?? element
      }
      return state.boxes
    }
    for box in boxes { box.offer(element) }
  }

  /// Ends all iterations after the elements that were already offered.
  func finish() {
    let boxes = state.withLock { state in
      state.isFinished = true
      return state.boxes
    }
    for box in boxes { box.finish() }
  }

  fileprivate func makeBox() -> Mailbox<Element> {
    let (box, isFinished) = state.withLock { state in
      let box = Mailbox(state.newest, combining: combine)
      if !beginsWithNewest { state.newest = nil }
      state.wasIterated = true
      state.boxes.append(box)
      return (box, state.isFinished)
    }
    if isFinished { box.finish() }
    return box
  }

  fileprivate func remove(_ box: Mailbox<Element>) {
    state.withLock { $0.boxes.removeAll { $0 === box } }
  }
}

/// One iteration of a broadcast.
///
/// > Concurrency: Used by one task.
final class BroadcastSubscription<Element: Sendable>: Sendable {
  private let broadcast: Broadcast<Element>
  private let box: Mailbox<Element>

  init(_ broadcast: Broadcast<Element>) {
    self.broadcast = broadcast
    box = broadcast.makeBox()
  }

  deinit { broadcast.remove(box) }

  func next() async -> Element? { await box.next() }
}
