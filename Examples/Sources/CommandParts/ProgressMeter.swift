import Synchronization
import TerminalView

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
  private let write: @Sendable (String) -> Void
  private let isBarShown = Mutex(false)
  private let finished = Mutex<Set<String>>([])

  /// Creates a meter that has shown nothing.
  ///
  /// - Parameters:
  ///   - style: The style of the display.
  ///   - write: A closure that writes text unchanged, by default to standard output.
  public init(
    _ style: Style, write: @escaping @Sendable (String) -> Void = { Terminal.write($0) }
  ) {
    self.style = style
    self.write = write
  }

  /// Shows progress.
  ///
  /// - Parameters:
  ///   - phase: The name of the phase.
  ///   - done: The number of finished parts.
  ///   - total: The number of parts.
  ///   - part: The name of the last finished part, such as a file, which can be any text. The bar shows its beginning.
  public func show(_ phase: String, done: Int, total: Int, part: String = "") {
    switch style {
    case .silent: break
    case .lines: showLine(phase, done, total)
    case .bar: showBar(phase, done, total, part)
    }
  }

  /// Clears the bar.
  public func finish() {
    let wasShown = isBarShown.withLock { shown in
      defer { shown = false }
      return shown
    }
    if wasShown { write("\r\u{1B}[K") }
  }

  private func showLine(_ phase: String, _ done: Int, _ total: Int) {
    guard done >= total else { return }
    let isNew = finished.withLock { $0.insert(phase).inserted }
    if isNew { write("\(phase): \(done)/\(total)\n") }
  }

  private func showBar(_ phase: String, _ done: Int, _ total: Int, _ part: String) {
    let width = 30
    let share = total > 0 ? min(done, total) * width / total : width
    let bar = String(repeating: "#", count: share) + String(repeating: "-", count: width - share)
    isBarShown.withLock { $0 = true }
    let name = part.isEmpty ? "" : " " + CellText.fitted(CellText.line(part), to: 20)
    write("\r\(phase.padding(to: 12)) [\(bar)] \(done)/\(total)\(name)\u{1B}[K")
  }
}

extension String {
  fileprivate func padding(to length: Int) -> String {
    self + String(repeating: " ", count: max(0, length - count))
  }
}
