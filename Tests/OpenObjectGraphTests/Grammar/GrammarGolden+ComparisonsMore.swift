extension GrammarGolden {
  /// The expected results in stores of the formats of `GrammarTables.comparisonsMore`.
  static let comparisonsMore = #"""
    self == nil
      t0.Z_PK IS NULL
      none
    when < now()
      t0.ZWHEN < ?
      1 2 3 5 6 7 8 9 11 12
    when == CAST(86400, "NSDate")
      t0.ZWHEN = ?
      1
    when > CAST(0, 'NSDate')
      t0.ZWHEN > ?
      1 3 5 7 8 9 11 12
    when < CAST(86400.5, "NSDate")
      t0.ZWHEN < ?
      1 2 3 6 9 11 12
    a BETWEEN {1, 2}
      t0.ZA BETWEEN ? AND ?
      1 2 7 11 12
    a between {1, 2}
      t0.ZA BETWEEN ? AND ?
      1 2 7 11 12
    a BETWEEN {2, 3}
      t0.ZA BETWEEN ? AND ?
      2 3 11
    b BETWEEN {a, c}
      t0.ZB BETWEEN t0.ZA AND t0.ZC
      1 6 11 12
    f BETWEEN {2, 3}
      t0.ZF BETWEEN ? AND ?
      1 2 3 5 11
    t BETWEEN {"a", "z"}
      t0.ZT BETWEEN ? AND ?
      1 3 6 8 9 10 11 12
    a + 1 BETWEEN {a, b + c}
      (t0.ZA + ?) BETWEEN t0.ZA AND (t0.ZB + t0.ZC)
      1 2 3 5 6 11 12
    a BETWEEN list
      error 134060: BETWEEN requires a lower bound and an upper bound. Entity: Sample.
    a BETWEEN {1, 2, 3}
      error 134060: BETWEEN needs a list of two values. Entity: Sample.
    NOT a BETWEEN {1, 2}
      NOT (t0.ZA BETWEEN ? AND ?)
      3 5 6 8 10; evaluated 3 4 5 6 8 9 10 (null: a)
    missing BETWEEN {1, 2}
      t0.ZMISSING BETWEEN ? AND ?
      6
    when BETWEEN {CAST(0, "NSDate"), CAST(90000, "NSDate")}
      t0.ZWHEN BETWEEN ? AND ?
      1 2 3 5 8 9 11 12
    a IN {1, 2, 3}
      t0.ZA = ? OR t0.ZA = ? OR t0.ZA = ?
      1 2 3 7 11 12
    a in {1, 2, 3}
      t0.ZA = ? OR t0.ZA = ? OR t0.ZA = ?
      1 2 3 7 11 12
    a In {5}
      t0.ZA = ?
      8
    a IN {}
      t0.ZA <> t0.ZA
      none
    a IN list
      memory: the transformable attribute list
      1 12
    5 IN list
      memory: the transformable attribute list
      11
    t IN {"text", "other"}
      t0.ZT = ? OR t0.ZT = ?
      1
    t IN words
      memory: the transformable attribute words
      none
    "two" IN[c] words
      memory: the transformable attribute words
      1 5 12
    "two" IN words
      memory: the transformable attribute words
      12
    "ex" IN t
      ocd_contains(t0.ZT, ?, 0)
      1 7 10
    "EX" IN[c] t
      ocd_contains(t0.ZT, ?, 1)
      1 2 7 10
    nil IN {1, nil}
      ? = ?
      none; evaluated all (null: nil)
    NOT a IN {2}
      NOT (t0.ZA = ?)
      1 3 5 6 7 8 10 12; evaluated 1 3 4 5 6 7 8 9 10 12 (null: a)
    a IN {a, b}
      t0.ZA = t0.ZA OR t0.ZA = t0.ZB
      1 2 3 5 6 7 8 10 11 12; evaluated all (null: a, b)
    SELF IN {1}
      error 134060: The predicate compares a property with a value of another type (number). Entity: Sample.
    a IN {1, "x", 2.5}
      error 134060: The predicate compares a property with a value of another type (string). Entity: Sample. Property: a.
    o.a IN {5}
      t1.ZA = ?
      1 2 8
    when IN {CAST(86400, "NSDate")}
      t0.ZWHEN = ?
      1
    list CONTAINS 2
      memory: the transformable attribute list
      1 5 10 12
    list contains 9
      memory: the transformable attribute list
      11
    words CONTAINS "one"
      memory: the transformable attribute words
      1 2 12
    words CONTAINS "ONE"
      memory: the transformable attribute words
      7
    words CONTAINS[c] "ONE"
      memory: the transformable attribute words
      1 2 7 12
    empty CONTAINS 1
      memory: the transformable attribute empty
      3 9
    {1, 2} CONTAINS a
      t0.ZA = ? OR t0.ZA = ?
      1 2 7 11 12
    o.list CONTAINS 7
      memory: the transformable attribute list
      1 6 9 12
    a == 1 OR a == 2
      t0.ZA = ? OR t0.ZA = ?
      1 2 7 11 12
    a @isEqual: b
      error 134060: The function “isEqual:” does not exist. Register it with PredicateFunctions. Entity: Sample.
    a @compare b
      error 134060: The function “compare” does not exist. Register it with PredicateFunctions. Entity: Sample.
    s @localizedStandardCompare: "x"
      error 134060: The function “localizedStandardCompare:” does not exist. Register it with PredicateFunctions. Entity: Sample.
    s @sort:with:[cd] "x"
      error 134060: The function “sort:with:” does not exist. Register it with PredicateFunctions. Entity: Sample.
    s @"odd name!" t
      error 134060: The function “odd name!” does not exist. Register it with PredicateFunctions. Entity: Sample.
    ANY words @isEqual: "one"
      error 134060: The function “isEqual:” does not exist. Register it with PredicateFunctions. Entity: Sample.
    a=1
      t0.ZA = ?
      1 7 12
    a!=-1
      t0.ZA <> ?
      1 2 3 5 7 8 10 11 12; evaluated 1 2 3 4 5 7 8 9 10 11 12 (null: a)
    a<-1
      t0.ZA < ?
      none
    a>=-1
      t0.ZA >= ?
      1 2 3 5 6 7 8 10 11 12
    a<>b
      t0.ZA <> t0.ZB
      1 3 5 6 8 10 12; evaluated 1 3 5 6 7 8 9 10 12 (null: a, b)
    a=>b
      t0.ZA >= t0.ZB
      2 3 8 10 11
    """#
}
