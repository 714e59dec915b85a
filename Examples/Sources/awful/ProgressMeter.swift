import AwfulCore
import Synchronization

/// Shows how far a sync is: a bar on a terminal, a line for each finished phase elsewhere.
///
/// Shared: the last progress shown is behind a mutex.
final class ProgressMeter: Sendable {
  /// How progress is shown.
  enum Style: Sendable {
    /// Not at all.
    case silent
    /// A line when a phase ends.
    case lines
    /// One line that is written again and again.
    case bar
  }

  private let style: Style
  private let isBarShown = Mutex(false)
  private let finished = Mutex<Set<SyncPhase>>([])

  init(_ style: Style) { self.style = style }

  /// Shows progress.
  ///
  /// - Parameter progress: How far the sync is.
  @Sendable func show(_ progress: SyncProgress) {
    switch style {
    case .silent: break
    case .lines: showLine(progress)
    case .bar: showBar(progress)
    }
  }

  /// Ends the bar's line.
  func finish() {
    let wasShown = isBarShown.withLock { shown in
      defer { shown = false }
      return shown
    }
    if wasShown { Terminal.write("\r\u{1B}[K") }
  }

  private func showLine(_ progress: SyncProgress) {
    guard progress.done >= progress.total else { return }
    let isNew = finished.withLock { $0.insert(progress.phase).inserted }
    if isNew { Terminal.write("\(progress.phase.rawValue): \(progress.done)/\(progress.total)\n") }
  }

  private func showBar(_ progress: SyncProgress) {
    let width = 30
    let share =
      progress.total > 0 ? min(progress.done, progress.total) * width / progress.total : width
    let bar = String(repeating: "#", count: share) + String(repeating: "-", count: width - share)
    let name = progress.phase.rawValue.padding(to: 12)
    isBarShown.withLock { $0 = true }
    Terminal.write("\r\(name) [\(bar)] \(progress.done)/\(progress.total)\u{1B}[K")
  }
}

extension String {
  fileprivate func padding(to length: Int) -> String {
    self + String(repeating: " ", count: max(0, length - count))
  }
}
