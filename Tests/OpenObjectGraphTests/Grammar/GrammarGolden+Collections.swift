extension GrammarGolden {
  /// The expected results in stores of the formats of `GrammarTables.collections`.
  static let collections = #"""
    ANY list == 2
      memory: the transformable attribute list
      1 5 10 12
    any list == 2
      memory: the transformable attribute list
      1 5 10 12
    SOME list == 2
      memory: the transformable attribute list
      1 5 10 12
    some list > 5
      memory: the transformable attribute list
      6 11
    ALL list > 0
      memory: the transformable attribute list
      1 2 3 4 5 6 7 8 10 11 12
    all list > 1
      memory: the transformable attribute list
      2 3 4 5 7 8 11
    NONE list > 5
      memory: the transformable attribute list
      1 2 3 4 5 7 8 9 10 12
    none list == 1
      memory: the transformable attribute list
      2 3 4 5 7 8 9 11
    ANY empty == 1
      memory: the transformable attribute empty
      3 9
    ALL empty == 1
      memory: the transformable attribute empty
      1 2 3 4 5 7 8 10 12
    NONE empty == 1
      memory: the transformable attribute empty
      1 2 4 5 6 7 8 10 11 12
    ANY pages.n > 2
      EXISTS (SELECT 1 FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND t1.ZN > ?)
      1 4 5 8 10 11 12
    ALL pages.n > 2
      NOT (EXISTS (SELECT 1 FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND NOT ((t1.ZN > ?) IS TRUE)))
      3 5 7 11
    NONE pages.n > 3
      NOT (EXISTS (SELECT 1 FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND t1.ZN > ?))
      1 2 3 6 7 9 10 12
    SOME pages.t IN {"x", "q"}
      EXISTS (SELECT 1 FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND (t1.ZT = ? OR t1.ZT = ?))
      1 4 5 8 10 12
    ANY pages.t BEGINSWITH "z"
      EXISTS (SELECT 1 FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND (t1.ZT >= ? AND t1.ZT < ?))
      1 2 5 8 10 12
    ANY (pages.n) > 2
      EXISTS (SELECT 1 FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND t1.ZN > ?)
      1 4 5 8 10 11 12
    ANY {1, 2} > 1
      ? = ? OR ? = ?
      all
    ALL {1, 2} > 1
      (? = ?) IS TRUE AND (? = ?) IS TRUE
      none
    ANY list + 1 == 2
      memory: the transformable attribute list
      none
    ANY list BETWEEN {3, 4}
      memory: the transformable attribute list
      1 2 7 12
    ANY list IN {9, 3}
      memory: the transformable attribute list
      1 7 11 12
    ANY words CONTAINS "n"
      memory: the transformable attribute words
      1 2 12
    ANY words MATCHES "T.*"
      memory: the transformable attribute words
      1 5
    ANY list == a
      memory: the transformable attribute list
      1 12
    ANY SUBQUERY(pages, $p, $p.n > 1).n == 3
      EXISTS (SELECT 1 FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND (t1.ZN > ? AND t1.ZN = ?))
      1 5 8 10 12
    ANY a == 1
      t0.ZA = ?
      1 7 12
    list[0] == 1
      memory: an index
      1 10 12
    list[2] == 3
      memory: an index
      1 12
    list[9] == nil
      memory: an index
      all
    list[-1] == nil
      memory: an index
      all
    list[FIRST] == 1
      memory: an index
      1 10 12
    list[first] == 1
      memory: an index
      1 10 12
    list[LAST] == 3
      memory: an index
      1 7 12
    list[Last] == 3
      memory: an index
      1 7 12
    list[SIZE] == 3
      memory: the transformable attribute list
      1 6 12
    list[size] == 3
      memory: the transformable attribute list
      1 6 12
    empty[FIRST] == nil
      memory: an index
      1 2 4 5 7 8 10 12
    empty[SIZE] == 0
      memory: the transformable attribute empty
      1 4 7 8 10
    list [ 0 ] == 1
      memory: an index
      1 10 12
    list[a] == 2
      memory: an index
      1 5 12
    list[a + 1] == 3
      memory: an index
      1 12
    list[list[0]] == 2
      memory: an index
      1 10 12
    list[#size] == nil
      memory: an index
      all
    o["a"] == 5
      memory: an index
      1 2 8
    o["list"][1] == 8
      memory: an index
      1 9
    pages[0].n == 1
      memory: a key path that starts at the result of an expression
      1 9 12
    pages[LAST].t == "z"
      memory: a key path that starts at the result of an expression
      1 2 12
    pages[0]["t"] == "x"
      memory: an index
      1 8 12
    pages.n[2] == 3
      memory: an index
      1 12
    {5, 6}[1] == 6
      ? = ?
      all
    {5, 6}[LAST] == 6
      ? = ?
      all
    (list)[0] == 1
      memory: an index
      1 10 12
    (list UNION empty)[SIZE] == 3
      memory: a set operation
      1 11 12
    $x[0] == nil
      error 134060: The variable $x has no value. Entity: Sample.
    %@[0] == 4 <== l:4,5
      ? = ?
      all
    %@[SIZE] == 2 <== l:4,5
      ? = ?
      all
    words[0].length() == 3
      memory: an index
      1 2 5 7 12
    list UNION {4} == {1, 2, 3, 4}
      memory: a set operation
      1 12
    (list UNION {4}).@count == 4
      memory: a key path that starts at the result of an expression
      1 6 12
    list INTERSECT {2, 9} == {2}
      memory: a set operation
      1 5 10 12
    list MINUS {1} == {2, 3}
      memory: a set operation
      1 12
    list minus {1, 2} union {9} == {3, 9}
      memory: a set operation
      1 7 12
    list MINUS ({1, 2} UNION {9}) == {3}
      memory: a set operation
      1 7 12
    (list MINUS {1}) INTERSECT {2} == {2}
      memory: a set operation
      1 5 10 12
    3 IN list INTERSECT {3, 4}
      memory: a set operation
      1 7 12
    2 IN list MINUS {2}
      memory: a set operation
      none
    {1} UNION {a + 1} == {1, 2}
      memory: a set operation
      1 7 12
    ANY list UNION o.list == 8
      memory: a set operation
      1 2 9
    list == {1, 2, 3}
      memory: the transformable attribute list
      1 12
    list != {1, 2}
      memory: the transformable attribute list
      1 2 3 5 6 7 9 11 12; evaluated 1 2 3 4 5 6 7 8 9 11 12 (null: list)
    list == list
      memory: the transformable attribute list
      1 2 3 5 6 7 9 10 11 12; evaluated all (null: list)
    {1, 2} IN {{1, 2}, {3}}
      memory: a comparison of collections
      all
    words[0] IN words
      memory: an index
      1 2 5 6 7 8 9 11 12
    words[SIZE] == list[SIZE]
      memory: the transformable attribute words
      1 2 3 5 7; evaluated 1 2 3 4 5 7 (null: list, words)
    list.@count + words.@count == 6
      memory: the transformable attribute list
      1
    list.@count BETWEEN {1, 3}
      memory: the transformable attribute list
      1 2 5 6 7 9 10 11 12
    list.@max IN list
      memory: the transformable attribute list
      1 2 5 6 7 9 10 11 12
    list.@count == words.@count AND ANY words == "one"
      memory: the transformable attribute list + memory: the transformable attribute words
      1 2
    """#
}
