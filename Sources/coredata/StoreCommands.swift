import ArgumentParser
import Foundation
import OpenStoreTool

/// Facts about a store.
struct Info: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show a store's identity, versions, sizes, and whether its model's hashes agree.")

  @OptionGroup var options: StoreOptions

  func run() throws {
    let facts = try StoreReport.facts(ofStoreAt: options.store, modelPath: options.model)
    options.output.print { print in
      if options.output.format == .table {
        for fact in facts { print([.init("fact", .text(fact.key)), .init("value", fact.value)]) }
      } else {
        print(facts)
      }
    }
  }
}

/// The entities of a store.
struct List: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ls", abstract: "List the entities with the number of their rows.")

  @OptionGroup var options: StoreOptions

  func run() throws {
    let rows = try StoreReport(options.open()).list()
    options.output.print { print in rows.forEach(print) }
  }
}

/// What the rows of a query are given by.
struct QueryOptions: ParsableArguments {
  @Option(help: "The entity to fetch; its sub-entities come with it.")
  var entity: String

  @Option(name: .customLong("where"), help: "A predicate, such as \"title CONTAINS[c] 'sea'\".")
  var predicate: String?

  @Option(help: "A key to sort by, with a minus sign before it to fall: \"--sort=-date,title\".")
  var sort: [String] = []

  @Option(help: "Greatest number of rows.")
  var limit: Int?

  @Option(help: "Rows to skip.")
  var offset = 0

  var query: StoreQuery {
    var query = StoreQuery(entity: entity)
    query.predicate = predicate
    query.sortKeys = sort
    query.limit = limit
    query.offset = offset
    return query
  }
}

/// Rows of an entity.
struct Fetch: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the objects of an entity, one a row.")

  @OptionGroup var options: StoreOptions
  @OptionGroup var rows: QueryOptions

  @Flag(help: "Print to-many relationships too, as lists of object ids.")
  var relationships = false

  func run() throws {
    let store = try options.open()
    try options.output.print { print in
      try rows.query.forEachRow(in: store, includesToMany: relationships, print)
    }
  }
}

/// One object.
struct Get: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the object that a URI names, with its relationships.")

  @OptionGroup var options: StoreOptions

  @Argument(help: "The object's id: x-coredata://STORE/Entity/p1.")
  var uri: String

  func run() throws {
    let fields = try ObjectReading(options.open()).object(uri)
    options.output.print { print in
      if options.output.format == .table {
        for field in fields {
          print([.init("key", .text(field.key)), .init("value", field.value)])
        }
      } else {
        print(fields)
      }
    }
  }
}

/// Sizes and gaps.
struct Statistics: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Show for each property how many rows have no value, and how large the values are.")

  @OptionGroup var options: StoreOptions

  func run() throws {
    let rows = try StoreReport(options.open()).statistics()
    options.output.print { print in rows.forEach(print) }
  }
}

/// How a query is carried out.
struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Show the SQL of a query, SQLite's plan for it, what runs in memory, and what would help.",
    discussion: """
      Exit status 1 when more than 1,000 rows of a table are read from the first to the last, or a part of the \
      query runs in memory.
      """)

  @OptionGroup var options: StoreOptions
  @OptionGroup var rows: QueryOptions

  @Flag(help: "Print the values of the query too, and parts of the predicate; they may be private.")
  var bindings = false

  func run() throws {
    let explanation = try Explanation(
      rows.query, storeAt: options.store, modelPath: options.model,
      values: bindings ? .shown : .hidden)
    if options.output.format == .table {
      Output.write(explanation.text)
      Output.flush()
    } else {
      options.output.print { print in print(explanation.fields) }
    }
    if !explanation.findings.isEmpty { throw ExitCode(ToolError.Status.findings.rawValue) }
  }
}

/// A copy.
struct Backup: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copy a store with everything that is committed, and its external files.")

  @Argument(help: "The store's file.", completion: .file())
  var store: String

  @Argument(help: "The file to make.", completion: .file())
  var destination: String

  func run() throws {
    try StoreBackup.copy(storeAt: store, to: destination)
    print("\(destination): copied")
  }
}
