import Foundation
import StoriesCore
import Testing

/// Signals to the reading application in a terminal.
@Suite("Signals to the reading application", .serialized)
struct TerminalSignalTests {
  /// A terminal without a window. A program writes to its device, and the test reads the text.
  private final class Terminal {
    private let window: Int32
    let device: FileHandle
    /// What programs have written.
    private(set) var text = ""

    init() throws {
      let window = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
      try #require(window >= 0)
      // The requests of the system that unlock the device and return its number.
      let (unlock, number): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
      var isLocked: Int32 = 0
      var place: UInt32 = 0
      try #require(ioctl(window, unlock, &isLocked) == 0)
      try #require(ioctl(window, number, &place) == 0)
      let descriptor = open("/dev/pts/\(place)", O_RDWR | O_NOCTTY | O_CLOEXEC)
      try #require(descriptor >= 0)
      self.window = window
      device = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    deinit { close(window) }

    /// Whether the terminal edits lines and shows what is typed, as it does for a shell.
    var isUsual: Bool {
      var settings = termios()
      tcgetattr(device.fileDescriptor, &settings)
      return settings.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO)
    }

    /// Reads what was written, so that a program does not wait for the terminal.
    func drain() {
      var bytes = [UInt8](repeating: 0, count: 4_096)
      while case let count = read(window, &bytes, bytes.count), count > 0 {
        text += String(decoding: bytes.prefix(count), as: UTF8.self)
      }
    }
  }

  @Test(
    "SIGTERM and SIGINT end the browser in a terminal, and the terminal is restored",
    .timeLimit(.minutes(30)), arguments: [SIGTERM, SIGINT])
  func signals(number: Int32) async throws {
    try await StoriesTrial.run { trial in
      _ = try await trial.add("Owl")
      let terminal = try Terminal()
      #expect(terminal.isUsual)
      let process = Process()
      let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.executableURL = own.deletingLastPathComponent().appendingPathComponent("stories")
      process.arguments = ["read", "--store", trial.file.path]
      process.standardInput = terminal.device
      process.standardOutput = terminal.device
      process.standardError = FileHandle.nullDevice
      try process.run()
      while process.isRunning, terminal.isUsual {
        terminal.drain()
        await Task.yield()
      }
      #expect(!terminal.isUsual)
      kill(process.processIdentifier, number)
      while process.isRunning {
        terminal.drain()
        await Task.yield()
      }
      #expect(process.terminationReason == .exit && process.terminationStatus == 0)
      #expect(terminal.isUsual)
      terminal.drain()
      // Lines are cut off at the edge while the browser is open, and continued again afterwards.
      let lines = terminal.text.split(separator: "\u{1B}[?7l", omittingEmptySubsequences: false)
      #expect(lines.count == 2 && lines.last?.contains("\u{1B}[?7h") == true)
    }
  }
}
