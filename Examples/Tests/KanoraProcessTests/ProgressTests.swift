import CommandParts
import Synchronization
import Testing

/// The progress that a scan shows.
@Suite("Progress of commands")
struct ProgressTests {
  /// The text that a meter writes.
  private final class Screen: Sendable {
    let text = Mutex("")
  }

  @Test("the bar shows the phase, the counts and the beginning of a file's name in one line")
  func bar() {
    let screen = Screen()
    let meter = ProgressMeter(.bar) { text in screen.text.withLock { $0 += text } }
    meter.show("reading", done: 1, total: 2, part: "a very long name of a file.flac")
    meter.show("reading", done: 2, total: 2, part: "a\nb\u{1B}[2J")
    meter.finish()
    let text = screen.text.withLock { $0 }
    let first = "\rreading      [###############---------------] 1/2 a very long name of…\u{1B}[K"
    #expect(text.hasPrefix(first), "\(text.debugDescription)")
    #expect(text.contains("2/2 a b[2J "))
    #expect(!text.contains("\n"))
  }
}
