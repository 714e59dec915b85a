extension GrammarGolden {
  /// The expected results in stores of the formats of `GrammarTables.functions`.
  static let functions = #"""
    sum:(1, 2, 3) == 6
      ? = ?
      all
    sum:(list) == 6
      memory: the transformable attribute list
      1 12
    sum:({1, 2}) == 3
      ? = ?
      all
    sum(list) == 6
      memory: the transformable attribute list
      1 12
    count:(list) == 3
      memory: the transformable attribute list
      1 6 12
    count(words) == 3
      memory: the transformable attribute words
      1 8
    count:({}) == 0
      ? = ?
      all
    min:(3, 1, 2) == 1
      ? = ?
      all
    min:(list) == 1
      memory: the transformable attribute list
      1 6 10 12
    max:(3, 1, 2) == 3
      ? = ?
      all
    max(list) == 3
      memory: the transformable attribute list
      1 7 12
    average:(1, 2, 3) == 2
      ? = ?
      all
    average:(list) == 2
      memory: the transformable attribute list
      1 5 12
    median:(1, 5, 2) == 2
      ? = ?
      all
    median:({1, 2, 3, 4}) == 2.5
      ? = ?
      all
    1 IN mode:(1, 1, 2)
      ? = ?
      all
    mode:({1, 2, 2}) CONTAINS 2
      ? = ?
      all
    stddev:(2, 4, 4, 4, 5, 5, 7, 9) == 2
      ? = ?
      all
    add:to:(a, b) == 3
      (t0.ZA + t0.ZB) = ?
      1 5 10
    from:subtract:(b, a) == 1
      (t0.ZB - t0.ZA) = ?
      1
    multiply:by:(b, c) == 6
      (t0.ZB * t0.ZC) = ?
      1 11
    divide:by:(6, b) == 3
      (? / t0.ZB) = ?
      1 2 11
    modulus:by:(c, b) == 1
      ocd_value('modulus:by:', t0.ZC, t0.ZB) = ?
      1 2 9 11 12
    raise:toPower:(b, 3) == 8
      ocd_value('raise:toPower:', t0.ZB, ?) = ?
      1 2 11
    sqrt:(4) == 2
      ? = ?
      all
    sqrt(-1) == nil
      ? IS NULL
      all
    log:(100) == 2
      ? = ?
      all
    ln:(1) == 0
      ? = ?
      all
    exp:(0) == 1
      ? = ?
      all
    floor:(2.7) == 2
      ? = ?
      all
    floor(-2.5) == -3
      ? = ?
      all
    ceiling:(2.1) == 3
      ? = ?
      all
    abs:(-3) == 3
      ? = ?
      all
    abs(a - b) == 1
      ocd_value('abs:', (t0.ZA - t0.ZB)) = ?
      1 8
    trunc:(-2.7) == -2
      ? = ?
      all
    uppercase:(t) == "TEXT"
      ocd_uppercase(t0.ZT) = ?
      1 2 7
    lowercase:("TeXt") == "text"
      ? = ?
      all
    canonical:(s) == "resume"
      ocd_canonical(t0.ZS) = ?
      1 2 3 6
    length:(t) == 4
      ocd_value('length:', t0.ZT) = ?
      1 2 3 7
    length(s) == 6
      ocd_value('length:', t0.ZS) = ?
      1 2 3 11
    length:(missing) == nil
      ocd_value('length:', t0.ZMISSING) IS NULL
      1 3 5 7 8 10 12
    random() < 1
      ? = ?
      all
    random () >= 0
      ? = ?
      all
    randomn:(10) < 10
      ? = ?
      all
    now() > when
      ? > t0.ZWHEN
      1 2 3 5 6 7 8 9 11 12
    now ( ) > when
      ? > t0.ZWHEN
      1 2 3 5 6 7 8 9 11 12
    now:() > when
      ? > t0.ZWHEN
      1 2 3 5 6 7 8 9 11 12
    bitwiseAnd:with:(6, 3) == 2
      ? = ?
      all
    bitwiseOr:with:(6, 3) == 7
      ? = ?
      all
    bitwiseXor:with:(6, 3) == 5
      ? = ?
      all
    leftshift:by:(1, 4) == 16
      ? = ?
      all
    rightshift:by:(16, 4) == 1
      ? = ?
      all
    onesComplement:(0) == -1
      ? = ?
      all
    noindex:(t) == "text"
      +t0.ZT = ?
      1
    distanceToLocation:fromLocation:(a, b) < 5
      ocd_value('distanceToLocation:fromLocation:', t0.ZA, t0.ZB) < ?
      none
    castObject:toType:("5", "NSNumber") == 5
      ? = ?
      all
    castObject:toType:(a, "NSString") == "1"
      ocd_value('castObject:toType:', t0.ZA, ?) = ?
      1 7 12
    objectFrom:withIndex:(list, 0) == 1
      memory: the function objectFrom:withIndex:
      1 10 12
    objectFrom:withIndex:(list, 9) == nil
      memory: the function objectFrom:withIndex:
      all
    modulus:by: (c, b) == 1
      ocd_value('modulus:by:', t0.ZC, t0.ZB) = ?
      1 2 9 11 12
    sum:( 1 , 2 ) == 3
      ? = ?
      all
    abs:(floor:(-2.5)) == 3
      ? = ?
      all
    max:(min:(1, 2), 0) == 1
      ? = ?
      all
    uppercase:(t) CONTAINS "EX"
      ocd_contains(ocd_uppercase(t0.ZT), ?, 0)
      1 2 7 10
    length:(t) + length:(s) == 10
      (ocd_value('length:', t0.ZT) + ocd_value('length:', t0.ZS)) = ?
      1 2 3
    FUNCTION(t, "uppercase:") == "TEXT"
      ocd_uppercase(t0.ZT) = ?
      1 2 7
    FUNCTION(t, 'uppercase') == "TEXT"
      ocd_uppercase(t0.ZT) = ?
      1 2 7
    function(c, "modulus:by:", b) == 1
      ocd_value('modulus:by:', t0.ZC, t0.ZB) = ?
      1 2 9 11 12
    FUNCTION("now") != nil
      NOT (? IS NULL)
      all
    FUNCTION("hello world", 'substring2ToIndex:', 1) == "h"
      ? = ?
      none
    FUNCTION(SELF, "perform:with:", a, "b") == nil
      error 134060: The function “perform:with:” does not exist. Register it with PredicateFunctions. Entity: Sample.
    FUNCTION(FUNCTION(a, "one"), "two:", b).c == nil
      error 134060: The function “one” does not exist. Register it with PredicateFunctions. Entity: Sample.
    FUNCTION(a, "add:to:") == nil
      ocd_value('add:to:', t0.ZA) IS NULL
      all
    FUNCTION(a, "odd name \"x\"") == nil
      error 134060: The function “odd name "x"” does not exist. Register it with PredicateFunctions. Entity: Sample.
    FUNCTION("unknown") == nil
      ? IS NULL
      all
    FUNCTION(a, "description").length() > 1
      error 134060: The function “description” does not exist. Register it with PredicateFunctions. Entity: Sample.
    FUNCTION(o, "valueForKey:", "x").list[0].y == 1
      error 134060: An object or value has no property “x”. Entity: Sample.
    TERNARY(a == 1, b, c) == 2
      CASE WHEN t0.ZA = ? THEN t0.ZB ELSE t0.ZC END = ?
      1
    TERNARY(a == 2, b, c) == 3
      CASE WHEN t0.ZA = ? THEN t0.ZB ELSE t0.ZC END = ?
      1 6
    ternary(TRUEPREDICATE, "x", "y") == "x"
      ? = ?
      all
    TERNARY(a == 1 AND b == 3, 1, 0) == 0
      CASE WHEN t0.ZA = ? AND t0.ZB = ? THEN ? ELSE ? END = ?
      1 2 3 4 5 6 7 8 9 10 11
    TERNARY((a == 1), o, nil).a == 5
      memory: a key path that starts at the result of an expression
      1
    TERNARY(NOT a == 1, 1, TERNARY(b == 2, 2, 3)) == 2
      CASE WHEN NOT (t0.ZA = ?) THEN ? ELSE CASE WHEN t0.ZB = ? THEN ? ELSE ? END END = ?
      1
    TERNARY(a == 1, 1, 0) + 1 == 2
      (CASE WHEN t0.ZA = ? THEN ? ELSE ? END + ?) = ?
      1 7 12
    SUBQUERY(pages, $p, $p.n > 1).@count == 2
      (SELECT COUNT(*) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND t1.ZN > ?) = ?
      1 12
    subquery(pages, $p, $p.n > 1).@count > 5
      (SELECT COUNT(*) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND t1.ZN > ?) > ?
      none
    SUBQUERY(pages, $p, $p.n > 1 AND $p.t == "z").@count == 1
      (SELECT COUNT(*) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND (t1.ZN > ? AND t1.ZT = ?)) = ?
      1 2 8 10 12
    SUBQUERY(pages, $p, $p.n > 1) != nil
      error 134060: A to-many key is not allowed here. Use ANY, ALL, NONE, @count or SUBQUERY. Entity: Sample. Property: pages.
    SUBQUERY(pages, $p, $p.n > b)[0].n == 3
      memory: a key path that starts at the result of an expression
      1 10
    SUBQUERY(pages, $p, $p.n > 1)[FIRST].t == "y"
      memory: a key path that starts at the result of an expression
      1 12
    SUBQUERY(pages, $p, $p.n > 1).n.@sum == 5
      (SELECT SUM(t1.ZN) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND t1.ZN > ?) = ?
      1 4 12
    SUBQUERY(pages, $p, TRUEPREDICATE)[SIZE] == 3
      (SELECT COUNT(*) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND 1) = ?
      1 5 8 12
    SUBQUERY(SUBQUERY(pages, $p, $p.n > 1), $q, $q.n < 3).@count == 1
      (SELECT COUNT(*) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND (t1.ZN > ? AND t1.ZN < ?)) = ?
      1 2 8 12
    SUBQUERY(pages, $p, SUBQUERY(pages, $q, $q.n > $p.n).@count == 2).@count == 1
      (SELECT COUNT(*) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND (SELECT COUNT(*) FROM ZPAGE AS t2 WHERE t2.ZSAMPLE = t0.Z_PK AND t2.ZN > t1.ZN) = ?) = ?
      1 8 12
    SUBQUERY(pages, $p, ANY list == $p.n).@count == 3
      memory: the transformable attribute list
      1 12
    SUBQUERY({1, 2, 3}, $x, $x > 1).@count == 2
      ? = ?
      all
    SUBQUERY(missing, $x, $x > 1).@count == 0
      error 134060: SUBQUERY requires a collection. Entity: Sample. Property: missing.
    SUBQUERY(o.list, $"odd name", $"odd name" > 7).@count == 1
      memory: the transformable attribute list
      1 2 9
    SUBQUERY(list UNION o.list, $x, $x > 2).@count == 3
      memory: a set operation
      1
    """#
}
