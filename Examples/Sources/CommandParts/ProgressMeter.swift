import Synchronization

/// Shows progress: a bar on a terminal, otherwise a line for each finished phase.
///
/// Shared. A mutex protects the last progress shown.
public final class ProgressMeter: Sendable {
  /// The style of the progress display.
  public enum Style: Sendable {
    /// Shows no progress.
    case silent
    /// Writes a line when a phase ends.
    case lines
    /// Rewrites one line.
    case bar
  }

  private let style: Style
  private let isBarShown = Mutex(false)
  private let finished = Mutex<Set<String>>([])

  /// Creates a meter that has shown nothing.
  public init(_ style: Style) { self.style = style }

  /// Shows progress.
  ///
  /// - Parameters:
  ///   - phase: The name of the phase.
  ///   - done: The number of finished parts.
  ///   - total: The number of parts.
  public func show(_ phase: String, done: Int, total: Int) {
    switch style {
    case .silent: break
    case .lines: showLine(phase, done, total)
    case .bar: showBar(phase, done, total)
    }
  }

  /// Clears the bar.
  public func finish() {
    let wasShown = isBarShown.withLock { shown in
      defer { shown = false }
      return shown
    }
    if wasShown { Terminal.write("\r\u{1B}[K") }
  }

  private func showLine(_ phase: String, _ done: Int, _ total: Int) {
    guard done >= total else { return }
    let isNew = finished.withLock { $0.insert(phase).inserted }
    if isNew { Terminal.write("\(phase): \(done)/\(total)\n") }
  }

  private func showBar(_ phase: String, _ done: Int, _ total: Int) {
    let width = 30
    let share = total > 0 ? min(done, total) * width / total : width
    let bar = String(repeating: "#", count: share) + String(repeating: "-", count: width - share)
    isBarShown.withLock { $0 = true }
    Terminal.write("\r\(phase.padding(to: 12)) [\(bar)] \(done)/\(total)\u{1B}[K")
  }
}

extension String {
  fileprivate func padding(to length: Int) -> String {
    self + String(repeating: " ", count: max(0, length - count))
  }
}
