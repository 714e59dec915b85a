import Dispatch
import Foundation

/// A terminal that a program draws into line by line, and reads keys from. Closing the screen restores the terminal.
public final class TerminalScreen {
  private let usesColors: Bool
  private var former = termios()
  private var shown: [ListState.Line] = []
  private let keys: AsyncStream<Key>
  private let continuation: AsyncStream<Key>.Continuation
  private let input: any DispatchSourceRead
  private let resizing: any DispatchSourceSignal
  private var isOpen = true

  /// Takes over the terminal of the process.
  ///
  /// - Returns: `nil` if standard input or output is not a terminal.
  public init?() {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1,
      tcgetattr(STDIN_FILENO, &former) == 0
    else {
      return nil
    }
    usesColors = ProcessInfo.processInfo.environment["NO_COLOR"] == nil
    (keys, continuation) = AsyncStream.makeStream(of: Key.self)
    var raw = former
    cfmakeraw(&raw)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
    input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO)
    signal(SIGWINCH, SIG_IGN)
    resizing = DispatchSource.makeSignalSource(signal: SIGWINCH)
    let continuation = continuation
    let parser = KeyParser()
    input.setEventHandler {
      var bytes = [UInt8](repeating: 0, count: 256)
      let count = read(STDIN_FILENO, &bytes, bytes.count)
      if count <= 0 { return continuation.finish() }
      for key in parser.keys(in: Array(bytes.prefix(count))) { continuation.yield(key) }
    }
    resizing.setEventHandler { continuation.yield(.resized) }
    input.resume()
    resizing.resume()
    // Switches to the alternate screen, hides the cursor, and cuts lines off instead of continuing them on the next line: a terminal
    // and this program may measure some characters differently.
    write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J")
  }

  deinit { close() }

  /// The stream of pressed keys.
  public var pressedKeys: AsyncStream<Key> { keys }

  /// Restores the terminal.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    input.cancel()
    resizing.cancel()
    continuation.finish()
    write("\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &former)
  }

  /// The number of columns and lines.
  public var size: (width: Int, height: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Draws a list, writing only the lines that changed.
  public func draw(_ list: inout ListState) {
    let (width, height) = size
    let lines = list.lines(width: width, height: height)
    if shown.count != lines.count || shown.first.map({ CellText.width(of: $0.text) }) != width {
      shown = []
      write("\u{1B}[2J")
    }
    var text = ""
    for (number, line) in lines.enumerated() where shown.isEmpty || shown[number] != line {
      text +=
        "\u{1B}[\(number + 1);1H\(attributes(of: line))\(CellText.withoutControls(line.text))\u{1B}[0m"
    }
    shown = lines
    write(text)
  }

  /// Uses the terminal's sixteen colors, so that they suit its background.
  private func attributes(of line: ListState.Line) -> String {
    if line.isSelected { return "\u{1B}[7m" }
    return switch line.style {
    case .plain: ""
    case .strong: "\u{1B}[1m"
    case .muted: usesColors ? "\u{1B}[90m" : ""
    case .heading: usesColors ? "\u{1B}[1;36m" : "\u{1B}[1m"
    }
  }

  private func write(_ text: String) {
    // A terminal that was closed receives nothing. Its keys end too, which ends the browser.
    try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }
}
