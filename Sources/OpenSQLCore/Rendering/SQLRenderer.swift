/// The text of a statement, and the parameters to bind to its placeholders, in order.
package struct RenderedSQL: Sendable, Hashable {
  package var text: String
  package var parameters: [SQLParameter]
}

/// Renders a statement tree as SQL text. No other code creates SQL text from trees.
package struct SQLRenderer {
  let dialect: any SQLDialect
  var text = ""
  private var parameters: [SQLParameter] = []

  private init(_ dialect: any SQLDialect) { self.dialect = dialect }

  /// Returns the text and the parameters of a statement.
  ///
  /// - Parameters:
  ///   - statement: The statement as a tree.
  ///   - dialect: The dialect of the text.
  package static func render(
    _ statement: SQLStatement, for dialect: any SQLDialect
  ) -> RenderedSQL {
    var renderer = SQLRenderer(dialect)
    renderer.render(statement)
    return RenderedSQL(text: renderer.text, parameters: renderer.parameters)
  }

  mutating func render(_ statement: SQLStatement) {
    switch statement {
    case .select(let select): render(select)
    case .insert(let insert): render(insert)
    case .update(let update): render(update)
    case .delete(let delete): render(delete)
    case .createTable(let table): render(table)
    case .createIndex(let index): render(index)
    case .createTrigger(let trigger): render(trigger)
    case .createSpatialIndex(let index, let part): render(index, part)
    case .createTextIndex(let index, let part): render(index, part)
    case .alter(let alteration): render(alteration)
    }
  }

  mutating func render(_ parameter: SQLParameter) {
    if case .numbered(let number) = parameter {
      // A later parameter without a number must not get a number that is in use.
      while parameters.count < number { parameters.append(.numbered(parameters.count + 1)) }
      text += dialect.placeholder(number)
      return
    }
    parameters.append(parameter)
    text += dialect.placeholder(parameters.count)
  }

  mutating func list<Element>(
    _ elements: [Element], separator: String = ", ",
    _ body: (inout SQLRenderer, Element) -> Void
  ) {
    for (index, element) in elements.enumerated() {
      if index > 0 { text += separator }
      body(&self, element)
    }
  }

  mutating func identifiers(_ names: [String]) {
    list(names) { $0.text += $0.dialect.quoted($1) }
  }
}
