extension GrammarGolden {
  /// The expected results in stores of the formats of `GrammarTables.literalsMore`.
  static let literalsMore = #"""
    s == "\uD83D\uDE00"
      t0.ZS = ?
      none
    s == "\uD83D"
      t0.ZS = ?
      none
    s == "\uDE00x"
      t0.ZS = ?
      none
    s == "\q"
      t0.ZS = ?
      none
    s == "\x4"
      t0.ZS = ?
      none
    s == "\u12"
      t0.ZS = ?
      none
    s == "%@"
      t0.ZS = ?
      8
    s == "%K %d %%"
      t0.ZS = ?
      none
    s == "$x"
      t0.ZS = ?
      none
    s == "#x"
      t0.ZS = ?
      none
    s == "{1, 2}"
      t0.ZS = ?
      none
    s == "AND OR NOT"
      t0.ZS = ?
      none
    s == "日本語"
      t0.ZS = ?
      10
    s == "😀👨‍👩‍👧"
      t0.ZS = ?
      11
    s == "é"
      t0.ZS = ?
      none
    s == "a	b"
      t0.ZS = ?
      12
    s == "// no comment"
      t0.ZS = ?
      none
    NIL == nil
      ? IS NULL
      all
    Null == NIL
      ? IS NULL
      all
    TRUE == YES
      ? = ?
      all
    true == 1
      ? = ?
      all
    YES == yes
      ? = ?
      all
    No == FALSE
      ? = ?
      all
    a == yes
      t0.ZA = ?
      1 7 12
    {1, 2.5, "x", nil, YES} CONTAINS "x"
      ? = ? OR ? = ? OR ? = ? OR ? = ?
      all
    {} == {}
      memory: a comparison of collections
      all
    {1} == {1}
      memory: a comparison of collections
      all
    {{1, 2}, {3}} CONTAINS {3}
      memory: a comparison of collections
      all
    {"a", 'b'} CONTAINS "b"
      ? = ? OR ? = ?
      all
    { 1 , 2 } CONTAINS 2
      ? = ? OR ? = ?
      all
    {-1, -2.5} CONTAINS -1
      ? = ? OR ? = ?
      all
    CAST(1, "NSString") == "1"
      ? = ?
      all
    CAST("1", "NSNumber") == 1
      ? = ?
      all
    CAST("1.5", "NSNumber") == 1.5
      ? = ?
      all
    CAST("x", "NSNumber") == nil
      ? IS NULL
      all
    CAST(a, "NSString") == "1"
      ocd_value('castObject:toType:', t0.ZA, ?) = ?
      1 7 12
    CAST("12.5", "NSDecimalNumber") == 12.5
      ? = ?
      all
    CAST(12345, 'NSDate') < when
      ? < t0.ZWHEN
      1 5 7 8 11
    CAST(12345.5, "NSDate") < when
      ? < t0.ZWHEN
      1 5 7 8 11
    CAST(-1, "NSDate") < when
      ? < t0.ZWHEN
      1 2 3 5 7 8 9 11 12
    CAST(when, "NSNumber") == 86400
      t0.ZWHEN = ?
      1
    CAST("E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "NSUUID") != nil
      NOT (? IS NULL)
      all
    CAST("https://example.org/a", "NSURL") != nil
      NOT (? IS NULL)
      all
    CAST("AQID", "NSData") != nil
      NOT (? IS NULL)
      all
    CAST("nonsense", "NSUUID") == nil
      ? IS NULL
      all
    CAST(1, "Unknown") == nil
      ? IS NULL
      all
    CAST("nan", "NSNumber") == 1
      ? = ?
      none
    CAST("inf", "NSNumber") > 1
      ? = ?
      all
    CAST("-inf", "NSNumber") < 1
      ? = ?
      all
    CAST({1}, "NSString") == nil
      ? IS NULL
      all
    cast(a + 1, "NSString") == "2"
      ocd_value('castObject:toType:', (t0.ZA + ?), ?) = ?
      1 7 12
    """#
}
