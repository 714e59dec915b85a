extension FetchExplanation: CustomStringConvertible {
  /// The explanation as several lines of text, for the console and for test failures.
  public var description: String {
    var lines = ["Fetch of \(entityName)"]
    for store in stores { lines += store.lines }
    if !inMemory.isEmpty {
      lines.append("In memory:")
      for work in inMemory {
        lines.append("  \(work.sentence)")
        if let predicate = work.predicate { lines.append("    \(predicate)") }
      }
    }
    if includesPendingChanges { lines.append("Unsaved changes are applied to the result.") }
    if !prefetchedRelationships.isEmpty {
      lines.append("Prefetched relationships: \(prefetchedRelationships.joined(separator: ", "))")
    }
    if !suggestions.isEmpty {
      lines.append("Suggestions:")
      lines += suggestions.map { "  " + $0 }
    }
    return lines.joined(separator: "\n")
  }
}

extension FetchExplanation.Store {
  /// The lines that describe the part of the fetch in this store.
  fileprivate var lines: [String] {
    var lines = ["Store \(name) (\(type)), \(candidateCount) rows:"]
    if let sql { lines.append("  SQL: " + sql) }
    if let bindings, !bindings.isEmpty {
      lines.append("  Bindings: " + bindings.joined(separator: ", "))
    }
    lines.append("  Plan:")
    for step in plan { step.append(to: &lines, indent: "    ") }
    if !indexes.isEmpty { lines.append("  Indexes: " + indexes.joined(separator: ", ")) }
    for scan in fullScans { lines.append("  Full scan: \(scan.name), \(scan.rowCount) rows") }
    for tree in temporaryTrees { lines.append("  Temporary tree: " + tree) }
    return lines
  }
}

extension FetchExplanation.Step {
  /// Appends the step and its nested steps.
  ///
  /// The depth of the recursion is the depth of the nested `SELECT` clauses.
  fileprivate func append(to lines: inout [String], indent: String) {
    lines.append(indent + text)
    for step in steps { step.append(to: &lines, indent: indent + "  ") }
  }
}
