public import ArgumentParser

/// The root command of a program. If printed output is lost, the program ends with status 74.
public protocol ProgramCommand: AsyncParsableCommand {}

extension ProgramCommand {
  /// Runs the command that the arguments of the process specify.
  public static func main() async {
    Output.checkAtExit()
    await main(nil)
  }
}
