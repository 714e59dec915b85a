import Foundation

extension NSExpression {
  /// Creates an expression from a format and an array of arguments.
  ///
  /// Unlike ``init(format:_:)``, which stores an error in ``formatError``, this method throws the
  /// error.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - format: The text of the expression.
  ///   - arguments: Exactly one value for each specifier in the format. A nil value becomes null,
  ///     and an expression becomes a part of the new expression.
  /// - Returns: The expression.
  /// - Throws: `PredicateFormatError`, for example with code `.unexpectedToken` if the format is
  ///   invalid, or with `.missingArgument`, `.extraArgument` or `.unsuitableArgument` if the
  ///   arguments do not match the specifiers. The error contains the position of the problem, if
  ///   known.
  public static func parsing(
    _ format: String, _ arguments: [Any?] = []
  ) throws(PredicateFormatError) -> NSExpression {
    var parser = try FormatParser(format: format, arguments: arguments)
    let node = try parser.parseWholeExpression()
    guard parser.valueCount + parser.keyPositions.count == arguments.count else {
      throw PredicateFormatError(
        code: .extraArgument, message: "There are more arguments than specifiers.", format: format)
    }
    let result = made(node, parser, arguments)
    if let error = result.formatError { throw error }
    return result
  }

  private static func made(
    _ node: ExpressionNode, _ parser: FormatParser, _ arguments: [Any?]
  ) -> NSExpression {
    let keys = Set(parser.keyPositions)
    let values = arguments.enumerated().filter { !keys.contains($0.offset) }.map(\.element)
    if values.isEmpty {
      return NSExpression(node: node.resolved(with: TreeValues(arguments: [], variables: [:])))
    }
    var assembly = TreeAssembly()
    let tree = assembly.insert(node, values, [:])
    return NSExpression(tree, assembly)
  }

  /// Returns the tree of a format; arguments without a specifier are ignored.
  private static func lenient(_ format: String, _ arguments: [Any?]) -> TreeSource {
    do throws(PredicateFormatError) {
      var parser = try FormatParser(format: format, arguments: arguments)
      let node = try parser.parseWholeExpression()
      let result = made(node, parser, arguments)
      return TreeSource(node: result.tree, values: result.values, error: result.formatError)
    } catch {
      return TreeSource(node: .constant(.null), values: [], error: error)
    }
  }

  /// Creates an expression from a format and an array of arguments.
  ///
  /// If the format is invalid, the expression evaluates to nil, and ``formatError`` contains the
  /// error.
  ///
  /// - Parameters:
  ///   - format: The text of the expression.
  ///   - arguments: The values of the specifiers in the format. Extra values are ignored; with too
  ///     few values, the format is invalid.
  public convenience init(format: String, argumentArray arguments: [Any]) {
    self.init(Self.lenient(format, arguments))
  }

  /// Creates an expression from a format and arguments.
  ///
  /// If the format is invalid, the expression evaluates to nil, and ``formatError`` contains the
  /// error.
  ///
  /// - Parameters:
  ///   - format: The text of the expression.
  ///   - arguments: The values of the specifiers in the format. Extra values are ignored; with too
  ///     few values, the format is invalid.
  public convenience init(format: String, _ arguments: any CVarArg...) {
    self.init(Self.lenient(format, arguments))
  }

  /// Creates an expression from a format and an argument list that `getVaList` or `withVaList`
  /// created.
  ///
  /// If the format is invalid, or if the list was not created by this module's `getVaList` or
  /// `withVaList`, the expression evaluates to nil, and ``formatError`` contains the error.
  ///
  /// - Parameters:
  ///   - format: The text of the expression.
  ///   - arguments: The list of the values for the specifiers in the format.
  public convenience init(format: String, arguments: CVaListPointer) {
    guard let values = ArgumentList.arguments(of: arguments) else {
      self.init(TreeSource(node: .constant(.null), values: [], error: .unknownList(format)))
      return
    }
    self.init(Self.lenient(format, values))
  }

  /// Creates an expression for a constant value or object.
  ///
  /// - Parameter object: The value of the constant; nil becomes null.
  public convenience init(forConstantValue object: Any?) {
    self.init { $0.constant(object) }
  }

  /// Creates an expression for the value at a key path of the evaluated object.
  ///
  /// - Parameter keyPath: Keys and collection operators, separated by dots. `SELF` or an empty
  ///   string is the object itself. A first step that starts with a dollar sign, as in `$x.name`,
  ///   is a variable.
  public convenience init(forKeyPath keyPath: String) {
    var steps = keyPath.split(separator: ".").map(String.init)[...]
    var start = ExpressionNode.evaluatedObject
    if let first = steps.first, first == "SELF" || first == "self" {
      steps.removeFirst()
    } else if let first = steps.first, first.count > 1, first.hasPrefix("$") {
      start = .variable(String(first.dropFirst()))
      steps.removeFirst()
    }
    self.init(node: start.appending(Array(steps)))
  }

  /// Creates an expression for the value at a Swift key path of the evaluated object.
  ///
  /// If the root is a managed object class or a type with `@ReadableByKey`, ``keyPath`` contains
  /// the names of the properties. Any other key path can be evaluated only in memory, and its
  /// ``keyPath`` is empty.
  ///
  /// - Parameter keyPath: The key path.
  public convenience init<Root, PropertyValue>(forKeyPath keyPath: KeyPath<Root, PropertyValue>) {
    if let name = KeyPathNames.name(of: keyPath) {
      self.init(forKeyPath: name)
    } else {
      self.init { .function(EmbeddedCode.keyPath, [$0.constant(keyPath), .evaluatedObject]) }
    }
  }

  /// Creates an expression for the value of a variable.
  ///
  /// - Parameter name: The name of the variable, without the dollar sign.
  public convenience init(forVariable name: String) { self.init(node: .variable(name)) }

  /// Creates an expression that calls a built-in function.
  ///
  /// If the function does not take the given number of operands, the expression evaluates to nil,
  /// and ``formatError`` contains the error. If the name is unknown, the expression also evaluates
  /// to nil, and ``evaluating(with:context:)`` throws `PredicateEvaluationError` with code
  /// `.unknownFunction`.
  ///
  /// - Parameters:
  ///   - name: The name of the function with its colons, such as `sum:` or `add:to:`.
  ///   - arguments: The operands of the function, as expressions or as constant values.
  public convenience init(forFunction name: String, arguments: [Any]) {
    if let error = PredicateFunction.countError(name, arguments.count) {
      self.init(failure: error)
      return
    }
    self.init { assembly in
      ExpressionNode.named(name, arguments.map { assembly.add(operand: $0) })
    }
  }

  /// Creates an expression that calls a function registered with ``PredicateFunctions``.
  ///
  /// If you pass the ``operand``, ``function`` and ``arguments`` of a function expression, the new
  /// expression equals that expression.
  ///
  /// The name can also be the name of a built-in function. The target and the arguments are then
  /// the operands of the function. If the function takes exactly the given arguments, and the
  /// target is the constant nil, the initializer ignores the target. For a cast, the initializer
  /// also ignores a target that equals the first argument. For a wrong number of operands, the
  /// expression evaluates to nil, and ``formatError`` contains the error.
  ///
  /// If the name is unknown, the expression evaluates to nil, and ``evaluating(with:context:)``
  /// throws `PredicateEvaluationError` with code `.unknownFunction`.
  ///
  /// - Parameters:
  ///   - target: The expression for the first operand of the function.
  ///   - name: The name of the registered or built-in function, with its colons.
  ///   - arguments: The other operands of the function, as expressions or as constant values; nil
  ///     for no other operands.
  public convenience init(
    forFunction target: NSExpression, selectorName name: String, arguments: [Any]?
  ) {
    let others = arguments ?? []
    if target.isTargetOfBuiltIn(name, others) {
      self.init { .rebuilt(name, others, &$0) }
      return
    }
    if let error = PredicateFunction.countError(name, others.count + 1) {
      self.init(failure: error)
      return
    }
    self.init { assembly in
      let operand = assembly.add(target)
      return .named(name, [operand] + others.map { assembly.add(operand: $0) })
    }
  }

  /// Returns whether the expression is the ``operand`` of a built-in function with the given
  /// arguments, and not an operand in addition to these arguments.
  private func isTargetOfBuiltIn(_ name: String, _ arguments: [Any]) -> Bool {
    guard PredicateFunctions.isBuiltIn(name),
      PredicateFunction.countError(name, arguments.count) == nil
    else { return false }
    // The operand of a cast is also the first argument.
    if name == "castObject:toType:", isEqual(arguments.first) { return true }
    return expressionType == .constantValue && constantValue == nil
  }

  /// Creates an expression for a list of values.
  ///
  /// - Parameter subexpressions: The elements of the list, as expressions or as constant values.
  public convenience init(forAggregate subexpressions: [Any]) {
    self.init { assembly in .aggregate(subexpressions.map { assembly.add(operand: $0) }) }
  }

  convenience init(_ make: (inout TreeAssembly) -> ExpressionNode) {
    var assembly = TreeAssembly()
    let node = make(&assembly)
    self.init(node, assembly)
  }
}

/// The source of an expression: a tree, or the error that prevents its creation.
struct TreeSource {
  let node: ExpressionNode
  let values: [Any?]
  let error: PredicateFormatError?
}

extension NSExpression {
  convenience init(_ source: TreeSource) {
    if let error = source.error {
      self.init(failure: error)
    } else {
      self.init(node: source.node, values: source.values)
    }
  }
}

extension PredicateFormatError {
  static func unknownList(_ format: String) -> PredicateFormatError {
    PredicateFormatError(
      code: .unknownArgumentList,
      message: "The argument list was not created by getVaList or withVaList of this module.",
      format: format)
  }
}
