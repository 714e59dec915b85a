extension GrammarGolden {
  /// The golden tables by the names of their topics.
  static let tables = [
    "comparisons": comparisons, "comparisonsMore": comparisonsMore, "strings": strings,
    "stringsMore": stringsMore, "compounds": compounds, "arithmetic": arithmetic,
    "literals": literals, "literalsMore": literalsMore, "keys": keys, "functions": functions,
    "collections": collections, "arguments": arguments, "argumentsMore": argumentsMore,
    "documented": documented, "documentedMore": documentedMore, "nested": nested,
    "mixed": mixed,
  ]
}
