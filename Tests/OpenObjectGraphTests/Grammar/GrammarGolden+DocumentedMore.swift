extension GrammarGolden {
  /// The expected results in stores of the formats of `GrammarTables.documentedMore`.
  static let documentedMore = #"""
    %K IN %@ <== s:t t:text,other
      t0.ZT IN (?, ?)
      1
    name IN %@ <== t:x,name
      t0.ZNAME IN (?, ?)
      2 11
    name in %@ <== t:
      t0.ZNAME IN (?)
      7
    %K = %@ <== s:a 1
      t0.ZA = ?
      1 7 12
    isDefault == %d <== 1
      t0.ZISDEFAULT = ?
      1 4 5 8 10 11
    isDefault == %@ <== YES
      t0.ZISDEFAULT = ?
      1 4 5 8 10 11
    isDefault != YES
      t0.ZISDEFAULT <> ?
      3 6 9; evaluated 2 3 6 7 9 12 (null: isDefault)
    ANY pages.n == 1 AND ANY pages.t == "z"
      EXISTS (SELECT 1 FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND t1.ZN = ?) AND EXISTS (SELECT 1 FROM ZPAGE AS t2 WHERE t2.ZSAMPLE = t0.Z_PK AND t2.ZT = ?)
      1 12
    SUBQUERY(pages, $p, $p.n == 1 AND $p.t == "z").@count > 0
      (SELECT COUNT(*) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND (t1.ZN = ? AND t1.ZT = ?)) > ?
      none
    SUBQUERY(pages, $p, $p.n == c).@count > 2
      (SELECT COUNT(*) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND t1.ZN = t0.ZC) > ?
      none
    pages.@max.n == nil
      (SELECT MAX(t1.ZN) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK) IS NULL
      3 7
    pages.@count == 0
      (SELECT COUNT(*) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK) = ?
      3 7
    pages.@sum.n == 0
      (SELECT SUM(t1.ZN) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK) = ?
      6; evaluated 3 6 7 (null: n, pages)
    pages.@max.n > pages.@min.n
      (SELECT MAX(t1.ZN) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK) > (SELECT MIN(t2.ZN) FROM ZPAGE AS t2 WHERE t2.ZSAMPLE = t0.Z_PK)
      1 5 8 12
    pages.@avg.n BETWEEN {2, 3}
      (SELECT AVG(t1.ZN) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK) BETWEEN ? AND ?
      1 2 8 10 12
    %K IN %K <== s:a s:pages.n
      EXISTS (SELECT 1 FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND t1.ZN = t0.ZA)
      1 2 12; evaluated 1 2 4 12 (null: a, pages)
    pages.n CONTAINS a
      EXISTS (SELECT 1 FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND t1.ZN = t0.ZA)
      1 2 12; evaluated 1 2 4 12 (null: a, pages)
    NOT a IN pages.n
      NOT (EXISTS (SELECT 1 FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND t1.ZN = t0.ZA))
      3 4 5 6 7 8 9 10 11; evaluated 3 5 6 7 8 9 10 11 (null: a, pages)
    ALL pages.n != 2
      NOT (EXISTS (SELECT 1 FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND NOT ((t1.ZN <> ?) IS TRUE)))
      3 5 6 7 9 11; evaluated 3 4 5 6 7 9 10 11 (null: pages)
    ALL pages.t IN {"x", "y", "z"}
      NOT (EXISTS (SELECT 1 FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND NOT ((t1.ZT = ? OR t1.ZT = ? OR t1.ZT = ?) IS TRUE)))
      1 2 3 7 9 10 12
    NOT ALL pages.n > 1
      EXISTS (SELECT 1 FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND NOT ((t1.ZN > ?) IS TRUE))
      1 4 6 9 10 12
    ANY pages.n != 1
      EXISTS (SELECT 1 FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND t1.ZN <> ?)
      1 2 4 5 6 8 10 11 12
    NOT ANY pages.n == 1
      NOT (EXISTS (SELECT 1 FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND t1.ZN = ?))
      2 3 4 5 6 7 8 10 11
    ANY pages.notes.n == 3
      EXISTS (SELECT 1 FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND EXISTS (SELECT 1 FROM ZNOTE AS t2 WHERE t2.ZPAGE = t1.Z_PK AND t2.ZN = ?))
      5 8
    pages.notes.@count > 2
      memory: a count across several relationships
      5 8 11
    children.@count > 1 OR children.@max.a == 2
      (SELECT COUNT(*) FROM ZSAMPLE AS t1 WHERE t1.ZPARENT = t0.Z_PK) > ? OR (SELECT MAX(t2.ZA) FROM ZSAMPLE AS t2 WHERE t2.ZPARENT = t0.Z_PK) = ?
      2 3 5
    parent.a == 2
      t1.ZA = ?
      3 4 12
    parent.parent.a == 2
      t2.ZA = ?
      5 6
    parent == nil
      t0.ZPARENT IS NULL
      1 2 11
    parent != nil AND parent.name != "X"
      NOT (t0.ZPARENT IS NULL) AND t1.ZNAME <> ?
      3 4 7 8 9 10 12
    parent == SELF
      t0.ZPARENT = t0.Z_PK
      none
    o.self == o
      t0.ZO = t0.ZO
      1 2 4 5 6 8 9 11 12; evaluated all (null: o)
    o.SELF.s ==[c] "INNER"
      ocd_equals(t1.ZS, ?, 1)
      1 2 6 12
    SELF IN children
      EXISTS (SELECT 1 FROM ZSAMPLE AS t1 WHERE t1.ZPARENT = t0.Z_PK AND t1.Z_PK = t0.Z_PK)
      none
    ANY children.flag == YES
      EXISTS (SELECT 1 FROM ZSAMPLE AS t1 WHERE t1.ZPARENT = t0.Z_PK AND t1.ZFLAG = ?)
      2 5 11
    castObject:toType:(a, "NSDate") < when
      t0.ZA < t0.ZWHEN
      1 3 5 7 8 11 12
    castObject:toType:(t, "NSNumber") == nil
      ocd_value('castObject:toType:', t0.ZT, ?) IS NULL
      all
    CAST(a, "NSDate") < now()
      t0.ZA < ?
      1 2 3 5 6 7 8 10 11 12
    when <= now() AND when >= CAST(0, "NSDate")
      t0.ZWHEN <= ? AND t0.ZWHEN >= ?
      1 2 3 5 7 8 9 11 12
    modulus:by:(a, 2) == 1 AND abs:(a) == 1
      ocd_value('modulus:by:', t0.ZA, ?) = ? AND ocd_value('abs:', t0.ZA) = ?
      1 7 12
    uppercase:(lowercase:(s)) == "RÉSUMÉ"
      ocd_uppercase(ocd_lowercase(t0.ZS)) = ?
      1 3
    bitwiseOr:with:(a, 2) == 3
      (t0.ZA | ?) = ?
      1 3 7 12
    leftshift:by:(a, 2) == 4 AND rightshift:by:(#size, 2) == 1
      (t0.ZA << ?) = ? AND (t0.ZSIZE >> ?) = ?
      1
    """#
}
