extension GrammarGolden {
  /// The expected results in stores of the formats of `GrammarTables.mixed`.
  static let mixed = #"""
    a CONTAINS "1"
      ocd_contains(t0.ZA, ?, 0)
      none
    "ex" IN missing
      ocd_contains(t0.ZMISSING, ?, 0)
      none
    t IN s
      ocd_contains(t0.ZS, t0.ZT, 0)
      none
    s IN[cd] {"RESUME", "INNER"}
      ocd_equals(t0.ZS, ?, 3) OR ocd_equals(t0.ZS, ?, 3)
      1 2 3 6 9
    a LIKE "1*"
      error 134060: The predicate compares a property with a value of another type (string). Entity: Sample. Property: a.
    t == 1
      t0.ZT = ?
      none
    a == "1"
      t0.ZA = ?
      1 7 12
    a == t
      error 134060: The predicate compares two properties whose types cannot be compared. Entity: Sample. Property: a.
    when == 86400
      t0.ZWHEN = ?
      1
    when > "x"
      error 134060: The predicate compares a property with a value of another type (string). Entity: Sample. Property: when.
    flag > NO
      t0.ZFLAG > ?
      2 4 7 9 12
    flag == missing
      error 134060: The predicate compares two properties whose types cannot be compared. Entity: Sample. Property: flag.
    imageData == nil
      t0.ZIMAGEDATA IS NULL
      1 4 6 8 9 11 12
    ANY pages.t == nil
      EXISTS (SELECT 1 FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND t1.ZT IS NULL)
      4 11
    ALL pages.t == nil
      NOT (EXISTS (SELECT 1 FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND NOT ((t1.ZT IS NULL) IS TRUE)))
      3 7 11
    NONE pages.t == nil
      NOT (EXISTS (SELECT 1 FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND t1.ZT IS NULL))
      1 2 3 5 6 7 8 9 10 12
    ANY rel.attr != "v"
      EXISTS (SELECT 1 FROM ZPART AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND t1.ZATTR <> ?)
      3 6 7 10 11; evaluated 3 4 6 7 9 10 11 (null: rel)
    ALL pages.n > a
      NOT (EXISTS (SELECT 1 FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND NOT ((t1.ZN > t0.ZA) IS TRUE)))
      3 5 6 7 11
    ANY pages.n > b AND NOT ANY pages.t == nil
      EXISTS (SELECT 1 FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND t1.ZN > t0.ZB) AND NOT (EXISTS (SELECT 1 FROM ZPAGE AS t2 WHERE t2.ZSAMPLE = t0.Z_PK AND t2.ZT IS NULL))
      1 5 10
    o == nil OR o.a == 5
      t0.ZO IS NULL OR t1.ZA = ?
      1 2 3 7 8 10
    o.a != 5
      t1.ZA <> ?
      4 6 9 11 12; evaluated 3 4 5 6 7 9 10 11 12 (null: o)
    NOT o.a == 5
      NOT (t1.ZA = ?)
      4 6 9 11 12; evaluated 3 4 5 6 7 9 10 11 12 (null: o)
    o == nil
      t0.ZO IS NULL
      3 7 10
    pages.@count == children.@count
      (SELECT COUNT(*) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK) = (SELECT COUNT(*) FROM ZSAMPLE AS t2 WHERE t2.ZPARENT = t0.Z_PK)
      5 11
    pages.@sum.n / pages.@count == 2
      ((SELECT SUM(t1.ZN) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK) / (SELECT COUNT(*) FROM ZPAGE AS t2 WHERE t2.ZSAMPLE = t0.Z_PK)) = ?
      1 2 4 12
    SUBQUERY(pages, $p, $p.notes.@count > 0).@count == 1
      (SELECT COUNT(*) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND (SELECT COUNT(*) FROM ZNOTE AS t2 WHERE t2.ZPAGE = t1.Z_PK) > ?) = ?
      2 4 10 11
    SUBQUERY(pages, $p, ANY $p.notes.n == $p.n).@count > 0
      (SELECT COUNT(*) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND EXISTS (SELECT 1 FROM ZNOTE AS t2 WHERE t2.ZPAGE = t1.Z_PK AND t2.ZN = t1.ZN)) > ?
      2 4 5 8 11
    SUBQUERY(pages, $p, $p.n IN {1, 2}).n.@max == 2
      (SELECT MAX(t1.ZN) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND (t1.ZN = ? OR t1.ZN = ?)) = ?
      1 2 8 12
    SUBQUERY(pages, $p, $p.t == nil OR $p.n == nil).@count > 0
      (SELECT COUNT(*) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND (t1.ZT IS NULL OR t1.ZN IS NULL)) > ?
      4 10 11
    SUBQUERY(pages, $p, NOT $p.n == 3).@count == 2
      (SELECT COUNT(*) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND NOT (t1.ZN = ?)) = ?
      1 8 12; evaluated 1 4 8 12 (null: pages)
    SUBQUERY(children, $c, $c.a > a).@count > 0
      (SELECT COUNT(*) FROM ZSAMPLE AS t1 WHERE t1.ZPARENT = t0.Z_PK AND t1.ZA > t0.ZA) > ?
      2 5 7
    SUBQUERY(children, $c, SUBQUERY($c.pages, $p, $p.n > a).@count > 0).@count > 0
      (SELECT COUNT(*) FROM ZSAMPLE AS t1 WHERE t1.ZPARENT = t0.Z_PK AND (SELECT COUNT(*) FROM ZPAGE AS t2 WHERE t2.ZSAMPLE = t1.Z_PK AND t2.ZN > t0.ZA) > ?) > ?
      2 3 5 7 11
    TERNARY(o == nil, "none", o.s) == "none"
      CASE WHEN t0.ZO IS NULL THEN ? ELSE t1.ZS END = ?
      3 7 10
    length:(o.s) > length:(t)
      ocd_value('length:', t1.ZS) > ocd_value('length:', t0.ZT)
      1 2 5 6 8
    a ** 2 + b ** 2 == c ** 2 - 4
      (ocd_value('raise:toPower:', t0.ZA, ?) + ocd_value('raise:toPower:', t0.ZB, ?)) = (ocd_value('raise:toPower:', t0.ZC, ?) - ?)
      1; evaluated 1 4 (null: a, b, c)
    name BEGINSWITH ""
      t0.ZNAME >= ? AND t0.ZNAME < ?
      2 3 4 5 6 7 8 9 11 12
    name ENDSWITH[cd] ""
      ocd_suffix(t0.ZNAME, ?, 3)
      2 3 4 5 6 7 8 9 11 12
    name == nil OR name == ""
      t0.ZNAME IS NULL OR t0.ZNAME = ?
      1 7 10
    {name, s} CONTAINS "inner"
      ? = t0.ZNAME OR ? = t0.ZS
      9 12
    "inner" IN {name, s, o.s}
      ? = t0.ZNAME OR ? = t0.ZS OR ? = t1.ZS
      1 6 9 12
    a IN {b, c, nil}
      t0.ZA = t0.ZB OR t0.ZA = t0.ZC
      2 10 11; evaluated 2 4 9 10 11 (null: a, b, c, nil)
    """#
}
