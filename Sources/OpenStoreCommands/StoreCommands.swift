import ArgumentParser
import Foundation
import OpenStoreTool

/// The command that prints facts about a store.
struct Info: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract:
      "Show a store's identifier, versions and sizes, and whether its hashes match the model.")

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
    commandName: "ls", abstract: "List the entities and their numbers of rows.")

  @OptionGroup var options: StoreOptions

  func run() throws {
    try options.output.print(StoreReport(options.open()).list())
  }
}

/// The options that select the rows of a query.
struct QueryOptions: ParsableArguments {
  @Option(help: "The entity to fetch, including its subentities.")
  var entity: String

  @Flag(help: "Fetch only the objects of the entity itself, without those of its subentities.")
  var exactEntity = false

  @Option(
    name: .customLong("where"),
    help: """
      A predicate, such as "title CONTAINS[c] 'sea' AND day >= '2024-05-01T12:30:00Z'". Write dates, UUIDs \
      and URIs as strings. CAST(736214400, 'NSDate') is a date in seconds since 2001.
      """)
  var predicate: String?

  @Option(
    help: "The keys to sort by. A minus sign means descending order: \"--sort=-date,title\".")
  var sort: [String] = []

  @Option(
    help: """
      The words to search for in the attributes with isIndexedBySpotlight, such as "kernel sched* NOT bsd".
      """)
  var search: String?

  @Flag(help: "Print the most relevant rows of --search first. The store must have a text index.")
  var ranked = false

  @Option(help: "The maximum number of rows.")
  var limit: Int?

  @Option(help: "The number of rows to skip.")
  var offset = 0

  func validate() throws {
    if ranked, search == nil { throw ValidationError("--ranked requires --search.") }
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

  @Flag(help: "Also print to-many relationships, as lists of object IDs.")
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
      An index is updated with every change to the rows. --rebuild is for damaged files. Without a flag, the command only \
      reads the store. The exit status is 1 if --check finds an index that differs from the rows.
      """)

  @OptionGroup var options: StoreOptions

  @Flag(help: "Compare the indexes with the rows. The store must be writable.")
  var check = false

  @Flag(help: "Create the indexes of the attributes with isIndexedBySpotlight.")
  var make = false

  @Flag(help: "Rebuild the indexes from the rows.")
  var rebuild = false

  func validate() throws {
    if [check, make, rebuild].count(where: \.self) > 1 {
      throw ValidationError("Use only one of --check, --make and --rebuild.")
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
    abstract: "Print the object with a URI, including its relationships.")

  @OptionGroup var options: StoreOptions

  @Argument(help: "The URI of the object: x-coredata://STORE/Entity/p1.")
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
    abstract: "Show for each property the number of missing values and the sizes of the values.")

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
      "Show the SQL of a query, its query plan, the parts that run in memory, and suggestions.",
    discussion: """
      The exit status is 1 if the query scans a table of more than 1,000 rows completely, or if a part of the query \
      runs in memory.
      """)

  @OptionGroup var options: StoreOptions
  @OptionGroup var rows: QueryOptions

  @Flag(
    help: "Also print the values of the query and parts of the predicate, which may be private.")
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
