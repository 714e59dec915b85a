import Foundation

/// The command that the build plug-in `ModelCodegen` runs.
///
/// Writes only files whose text has changed, so that nothing is compiled again without need.
@main struct Command {
  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ arguments: [String]) throws {
    switch arguments.first {
    case "model": try ModelCommand(arguments.dropFirst()).run()
    case "compile": try CompileCommand(arguments.dropFirst()).run()
    case "rewrite": try RewriteCommand(arguments.dropFirst()).run()
    default: throw UsageError()
    }
  }
}

/// The command line cannot be understood.
struct UsageError: Error, CustomStringConvertible {
  let description = """
    usage: opencoredata-codegen model <model> --output <file> [--all] [--expanded]
             [--source <source>]... [<context>]...
           opencoredata-codegen compile <model> --output <folder>
           opencoredata-codegen rewrite (<source> --output <file>)... [<context>]...

    model    generates the classes of an .xcdatamodeld or .xcdatamodel folder
               --all       also generates classes of entities whose setting "Codegen" is "Manual/None"
               --expanded  generates complete accessors, which do not require macros
               --source    a source of the module that is rewritten, whose extensions may add members to the
                           classes; classes with such members use macros
    compile  writes the model as .momd, a single version as .mom, or a mapping model as .cdm
    rewrite  rewrites the sources of a module, written for Apple's Core Data, for this library
    <context>  --context <source>    another source of the module, or a source of a target that it depends on
               --own-model <model>   a model of the module; in the command model, another model of the module
               --model <model>       a model of a target that the module depends on
               --own-whole-model <model>, --whole-model <model>
                                     the same, for a model all of whose entities have classes
               --module <name>       the name of the module, or of a module that it depends on
    """
}
