extension GrammarGolden {
  /// The expected results in stores of the formats of `GrammarTables.documented`.
  static let documented = #"""
    (X == 10 AND Y == 30) AND (Z == 20 OR K == 40)
      (t0.ZX = ? AND t0.ZY = ?) AND (t0.ZZ = ? OR t0.ZK = ?)
      1 5 9 12
    X=10&&Y=30||!(Z<>20)
      (t0.ZX = ? AND t0.ZY = ?) OR NOT (t0.ZZ <> ?)
      1 2 3 5 7 8 9 11 12
    NOT x == 1
      NOT (t0.ZX1 = ?)
      3 4 5 8 9 11 12; evaluated 1 3 4 5 6 8 9 11 12 (null: x)
    NOT (x == 1)
      NOT (t0.ZX1 = ?)
      3 4 5 8 9 11 12; evaluated 1 3 4 5 6 8 9 11 12 (null: x)
    name == '%@'
      t0.ZNAME = ?
      4
    author != "x"
      error 134060: The predicate compares a property with a value of another type (string). Entity: Sample. Property: author.
    flag == YES
      t0.ZFLAG = ?
      2 4 7 9 12
    flag == 1
      t0.ZFLAG = ?
      2 4 7 9 12
    flag == true
      t0.ZFLAG = ?
      2 4 7 9 12
    stringAttr IN {9, 10, 11}
      t0.ZSTRINGATTR = ? OR t0.ZSTRINGATTR = ? OR t0.ZSTRINGATTR = ?
      2 3 4 10
    rel == %@ <== 4
      error 134060: A to-many key is not allowed here. Use ANY, ALL, NONE, @count or SUBQUERY. Entity: Sample. Property: rel.
    ANY rel.attr == %@ <== s:v
      EXISTS (SELECT 1 FROM ZPART AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND t1.ZATTR = ?)
      2 3 9 12
    rel.@count == 0
      (SELECT COUNT(*) FROM ZPART AS t1 WHERE t1.ZSAMPLE = t0.Z_PK) = ?
      1 5 8
    pages.@sum.length > 5
      (SELECT SUM(t1.ZLENGTH) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK) > ?
      4 6 8 10 12
    pages.length.@sum > 5
      (SELECT SUM(t1.ZLENGTH) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK) > ?
      4 6 8 10 12
    SUBQUERY(pages, $x, $x.n > 1).@count > 0
      (SELECT COUNT(*) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND t1.ZN > ?) > ?
      1 2 4 5 8 10 11 12
    SUBQUERY(pages, $x, $x.n > 1) != nil
      error 134060: A to-many key is not allowed here. Use ANY, ALL, NONE, @count or SUBQUERY. Entity: Sample. Property: pages.
    SUBQUERY(pages, $x, SUBQUERY($x.notes, $y, $y.n == $x.n).@count > 0).@count > 2
      (SELECT COUNT(*) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND (SELECT COUNT(*) FROM ZNOTE AS t2 WHERE t2.ZPAGE = t1.Z_PK AND t2.ZN = t1.ZN) > ?) > ?
      8
    when < CAST(694224000.000000, "NSDate")
      t0.ZWHEN < ?
      1 2 3 5 6 8 9 11 12
    CAST(12345, 'NSDate') == when
      ? = t0.ZWHEN
      3
    CAST(x, "NSNumber") == 1
      t0.ZX1 = ?
      2 7 10
    CAST(x, "NSString") == "1"
      ocd_value('castObject:toType:', t0.ZX1, ?) = ?
      2 7 10
    imageData != nil
      NOT (t0.ZIMAGEDATA IS NULL)
      2 3 5 7 10
    text = %@ <== s:x
      t0.ZTEXT = ?
      2 7
    album == nil
      t0.ZALBUM IS NULL
      1 3 4 6 8 9 10 12
    lastPlayedAt != nil
      NOT (t0.ZLASTPLAYEDAT IS NULL)
      3 6 7 9 10 12
    playCount > 0
      t0.ZPLAYCOUNT > ?
      3 5 6 9 10 12
    %K CONTAINS[cd] %@ <== s:name s:x
      ocd_contains(t0.ZNAME, ?, 3)
      2 3 8 9
    x BETWEEN {a, b}
      t0.ZX1 BETWEEN t0.ZA AND t0.ZB
      12
    x BETWEEN %@ <== l:1,5
      t0.ZX1 BETWEEN ? AND ?
      2 3 5 7 10 11 12
    ANY x.y == 1
      error 134060: A key path cannot continue after an attribute. Entity: Sample. Property: x.y.
    ALL x.y == 1
      error 134060: A key path cannot continue after an attribute. Entity: Sample. Property: x.y.
    NONE x.y == 1
      error 134060: A key path cannot continue after an attribute. Entity: Sample. Property: x.y.
    SOME x.y == 1
      error 134060: A key path cannot continue after an attribute. Entity: Sample. Property: x.y.
    collection[FIRST] == 1
      memory: an index
      2 5 8 11
    collection[LAST] == 1
      memory: an index
      2 3 5 8 11
    collection[SIZE] == 1
      memory: the transformable attribute collection
      2 7 8 10 11 12
    collection[5] == 1
      memory: an index
      5
    fetchSource == $FETCH_SOURCE
      error 134060: keypath fetchSource not found in entity Sample. Entity: Sample. Property: fetchSource.
    $FETCH_SOURCE.name == name
      error 134060: The variable $FETCH_SOURCE has no value. Entity: Sample.
    name == $FETCHED_PROPERTY.userInfo.name
      error 134060: The variable $FETCHED_PROPERTY has no value. Entity: Sample.
    %K IN %K <== s:a s:b.c
      error 134060: A key path cannot continue after an attribute. Entity: Sample. Property: b.c.
    a.b.@count + 1 > length:(name) * 2
      error 134060: A key path cannot continue after an attribute. Entity: Sample. Property: a.b.
    modulus:by:(number, 2) == 0
      ocd_value('modulus:by:', t0.ZNUMBER, ?) = ?
      2 4 6 7 10 12
    bitwiseAnd:with:(flags, 4) != 0
      (t0.ZFLAGS & ?) <> ?
      2 3 6 7 9; evaluated 1 2 3 6 7 9 10 (null: flags)
    noindex:(name) BEGINSWITH[n] "a"
      ocd_prefix(+t0.ZNAME, ?, 4)
      5
    canonical:(name) == "a"
      ocd_canonical(t0.ZNAME) = ?
      5 6
    castObject:toType:(x, "NSNumber") > 1
      t0.ZX1 > ?
      3 5 8 11 12
    TERNARY(x > 1, a, b) == c
      CASE WHEN t0.ZX1 > ? THEN t0.ZA ELSE t0.ZB END = t0.ZC
      none; evaluated 4 (null: a, b, c)
    $v := x + 1 > 2
      memory: an assignment
      3 5 8 11 12
    children.@distinctUnionOfObjects.name.@count > 1
      memory: a count of distinct values
      2 3 5
    """#
}
