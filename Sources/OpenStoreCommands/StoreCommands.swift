import ArgumentParser
import Foundation
import OpenStoreTool

/// The command that prints facts about a store.
struct Info: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show a store's identity, versions, sizes, and whether its model's hashes agree.")

  @OptionGroup var options: StoreOptions

  func run() throws {
    let facts = try StoreReport.facts(ofStoreAt: options.store, modelPath: options.model)
    let isTable = options.output.format == .table
    try options.output.print(
      isTable
        ? facts.map { [.init("fact", .text($0.key)), .init("value", $0.value)] } : [facts])
  }
}

/// The command that lists the entities of a store.
struct List: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ls", abstract: "List the entities with the number of their rows.")

  @OptionGroup var options: StoreOptions

  func run() throws {
    try options.output.print(StoreReport(options.open()).list())
  }
}

/// The options that select the rows of a query.
struct QueryOptions: ParsableArguments {
  @Option(help: "The entity to fetch; its sub-entities come with it.")
  var entity: String

  @Flag(help: "Fetch objects of exactly the entity, without those of its sub-entities.")
  var exactEntity = false

  @Option(
    name: .customLong("where"),
    help: """
      A predicate, such as "title CONTAINS[c] 'sea' AND day >= '2024-05-01T12:30:00Z'". Dates, UUIDs and URIs are \
      written as texts; CAST(736214400, 'NSDate') is a date by its seconds since 2001.
      """)
  var predicate: String?

  @Option(help: "A key to sort by, with a minus sign before it to fall: \"--sort=-date,title\".")
  var sort: [String] = []

  @Option(
    help: """
      What a full-text search in the attributes with isIndexedBySpotlight has to find, such as "kernel sched* NOT bsd".
      """)
  var search: String?

  @Flag(help: "Print the most relevant rows of --search first; the store needs an index of words.")
  var ranked = false

  @Option(help: "Greatest number of rows.")
  var limit: Int?

  @Option(help: "Rows to skip.")
  var offset = 0

  func validate() throws {
    if ranked, search == nil { throw ValidationError("--ranked needs --search.") }
  }

  var query: StoreQuery {
    var query = StoreQuery(entity: entity)
    query.predicate = predicate
    query.sortKeys = sort
    query.limit = limit
    query.offset = offset
    query.includesSubentities = !exactEntity
    query.search = search
    query.isRanked = ranked
    return query
  }
}

/// The command that fetches rows of an entity.
struct Fetch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch",
    abstract: "Print the objects of an entity, one per row.")

  @OptionGroup var options: StoreOptions
  @OptionGroup var rows: QueryOptions

  @Flag(help: "Print to-many relationships too, as lists of object ids.")
  var relationships = false

  func run() throws {
    let store = try options.open()
    let columns =
      options.output.format.hasColumns
      ? try rows.query.columns(in: store, includesToMany: relationships) : nil
    try options.output.print(columns: columns) { print in
      try rows.query.forEachRow(in: store, includesToMany: relationships, print)
    }
  }
}

/// The command that lists, creates and checks the text indexes of a store.
struct TextIndex: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "text-index",
    abstract: "Show, check or create the indexes for full-text searches.",
    discussion: """
      An index follows every change of the rows by itself; --rebuild is for files that were damaged. Without a flag the \
      store is only read. Exit status 1 when --check finds an index that differs from the rows.
      """)

  @OptionGroup var options: StoreOptions

  @Flag(help: "Compare the indexes with the rows; the store must be writable.")
  var check = false

  @Flag(help: "Make the indexes of the attributes with isIndexedBySpotlight.")
  var make = false

  @Flag(help: "Rebuild the indexes from the rows.")
  var rebuild = false

  func validate() throws {
    if [check, make, rebuild].count(where: \.self) > 1 {
      throw ValidationError("Use one of --check, --make and --rebuild.")
    }
  }

  func run() throws {
    let action: TextIndexReport.Action =
      check ? .check : make ? .make : rebuild ? .rebuild : .show
    let report = try TextIndexReport.rows(
      action, ofStoreAt: options.store, modelPath: options.model)
    try options.output.print(report.rows)
    if report.isDamaged { throw ExitCode(ToolError.Status.findings.rawValue) }
  }
}

/// The command that prints one object.
struct Get: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Print the object that a URI names, with its relationships.")

  @OptionGroup var options: StoreOptions

  @Argument(help: "The object's id: x-coredata://STORE/Entity/p1.")
  var uri: String

  func run() throws {
    let fields = try ObjectReading(options.open()).object(uri)
    let isTable = options.output.format == .table
    try options.output.print(
      isTable
        ? fields.map { [.init("key", .text($0.key)), .init("value", $0.value)] } : [fields])
  }
}

/// The command that prints the sizes of values and counts missing values.
struct Statistics: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Show for each property how many rows have no value, and how large the values are.")

  @OptionGroup var options: StoreOptions

  func run() throws {
    try options.output.print(StoreReport(options.open()).statistics())
  }
}

/// The command that explains how a query is executed.
struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
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
      try print(text: explanation.text)
    } else {
      try options.output.print([explanation.fields])
    }
    if !explanation.findings.isEmpty { throw ExitCode(ToolError.Status.findings.rawValue) }
  }
}
