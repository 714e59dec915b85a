public import ArgumentParser
import CommandParts
import Dispatch
public import ForumSimulator
import Foundation

/// The command `forum-sim`, which serves a generated forum site on the loopback address until it receives a signal.
@main
struct ForumSim: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forum-sim",
    abstract: "Serve a simulated forum site for tests and demonstrations.",
    discussion: """
      Prints one line of JSON with the chosen port when the site is ready, and exits on SIGINT or \
      SIGTERM. The same seed and size always give the same site.
      """,
    version: ExampleVersion.text)

  @Option(help: "The seed from which the site is generated.")
  var seed: UInt64 = 7

  @Option(help: "The size of the site: tiny, small, medium, or large.")
  var size: SiteSize = .tiny

  @Option(help: "The port on 127.0.0.1. 0 chooses a free port.")
  var port: UInt16 = 0

  @Option(help: "The revision of the markup: 2012, 2021, or 2025.")
  var markup: Markup = .revision2025

  @Option(help: "The number of virtual seconds per real second.")
  var speed: Int = 0

  @Option(help: "The charset in the header of pages: windows-1252, iso-8859-1, utf-8, or none.")
  var charset: PageCharset = .windows1252

  @Option(
    help: ArgumentHelp("A script of events with their virtual times, as JSON.", valueName: "file"))
  var script: String?

  @Option(help: ArgumentHelp("A saved site to start from, as JSON.", valueName: "file"))
  var snapshot: String?

  @Flag(help: "Enable the control pages under /__sim/.")
  var control = false

  @Flag(help: "Refuse guests every page except the login page.")
  var demandLogin = false

  func validate() throws {
    guard (0...1_000_000).contains(speed) else {
      throw ValidationError("--speed must be between 0 and 1000000.")
    }
  }

  func run() async throws {
    let site = ForumSite(seed: seed, size: size)
    if let snapshot { try load(snapshot, into: site) }
    if let script { try run(script, at: site) }
    if demandLogin { site.demandLogIn(true) }
    let options = ForumServerOptions(
      port: port, markup: markup, charset: charset, isControlEnabled: control, speed: speed)
    let server = ForumServer(site: site, options: options)
    let signals = StopSignals()
    let port = try await server.start()
    try announce(port: port)
    await signals.first()
    await server.stop()
  }

  private func load(_ path: String, into site: ForumSite) throws {
    do {
      try site.load(Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      throw ValidationError("The saved site \(path) cannot be loaded: \(error)")
    }
  }

  private func run(_ path: String, at site: ForumSite) throws {
    do {
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      site.run(try JSONDecoder().decode(SiteScript.self, from: data))
    } catch {
      throw ValidationError("The script \(path) cannot be loaded: \(error)")
    }
  }

  private func announce(port: UInt16) throws {
    let ready = ReadyLine(
      port: port, url: "http://127.0.0.1:\(port)/", seed: seed, size: size.name,
      markup: markup.rawValue, control: control, user: ForumSite.defaultUserName,
      password: ForumSite.password)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try FileHandle.standardOutput.write(contentsOf: encoder.encode(ready) + Data("\n".utf8))
  }
}

/// The line that the command prints when the site is ready.
private struct ReadyLine: Encodable {
  let port: UInt16
  let url: String
  let seed: UInt64
  let size: String
  let markup: String
  let control: Bool
  let user: String
  let password: String
}

extension SiteSize: ExpressibleByArgument {
  /// Creates a size from its name.
  public init?(argument: String) {
    self.init(name: argument)
  }

  /// The name, as shown in the help text.
  public var defaultValueDescription: String { name }
}

extension Markup: ExpressibleByArgument {}

extension PageCharset: ExpressibleByArgument {}
