extension GrammarTables {
  /// Formats of numbers, strings, constants, aggregates and casts.
  package static let literalsMore = #"""
    s == "\uD83D\uDE00"
      (= s '😀')
      > s == "😀"
      ? false
    s == "\uD83D"
      (= s '�')
      > s == "�"
      ? false
    s == "\uDE00x"
      (= s '�x')
      > s == "�x"
      ? false
    s == "\q"
      (= s 'q')
      > s == "q"
      ? false
    s == "\x4"
      (= s 'x4')
      > s == "x4"
      ? false
    s == "\u12"
      (= s 'u12')
      > s == "u12"
      ? false
    s == "%@"
      (= s '%@')
      ? false
    s == "%K %d %%"
      (= s '%K %d %%')
      ? false
    s == "$x"
      (= s '$x')
      ? false
    s == "#x"
      (= s '#x')
      ? false
    s == "{1, 2}"
      (= s '{1, 2}')
      ? false
    s == "AND OR NOT"
      (= s 'AND OR NOT')
      ? false
    s == "日本語"
      (= s '日本語')
      ? false
    s == "😀👨‍👩‍👧"
      (= s '😀👨‍👩‍👧')
      ? false
    s == "é"
      (= s 'é')
      ? false
    s == "a	b"
      (= s 'a<9>b')
      > s == "a\tb"
      ? false
    s == "// no comment"
      (= s '// no comment')
      ? false
    NIL == nil
      (= nil nil)
      > nil == nil
      ? true
    Null == NIL
      (= nil nil)
      > nil == nil
      ? true
    TRUE == YES
      (= YES YES)
      > 1 == 1
      ? true
    true == 1
      (= YES 1)
      > 1 == 1
      ? true
    YES == yes
      (= YES YES)
      > 1 == 1
      ? true
    No == FALSE
      (= NO NO)
      > 0 == 0
      ? true
    a == yes
      (= a YES)
      > a == 1
      ? true
    {1, 2.5, "x", nil, YES} CONTAINS "x"
      (contains {1 2.5 'x' nil YES} 'x')
      > {1, 2.5, "x", nil, 1} CONTAINS "x"
      ? true
    {} == {}
      (= {} {})
      ? true
    {1} == {1}
      (= {1} {1})
      ? true
    {{1, 2}, {3}} CONTAINS {3}
      (contains {{1 2} {3}} {3})
      ? true
    {"a", 'b'} CONTAINS "b"
      (contains {'a' 'b'} 'b')
      > {"a", "b"} CONTAINS "b"
      ? true
    { 1 , 2 } CONTAINS 2
      (contains {1 2} 2)
      > {1, 2} CONTAINS 2
      ? true
    {-1, -2.5} CONTAINS -1
      (contains {-1 -2.5} -1)
      ? true
    CAST(1, "NSString") == "1"
      (= '1' '1')
      > "1" == "1"
      ? true
    CAST("1", "NSNumber") == 1
      (= 1 1)
      > 1 == 1
      ? true
    CAST("1.5", "NSNumber") == 1.5
      (= 1.5 1.5)
      > 1.5 == 1.5
      ? true
    CAST("x", "NSNumber") == nil
      (= (cast 'x' NSNumber) nil)
      ? true
    CAST(a, "NSString") == "1"
      (= (cast a NSString) '1')
      ? true
    CAST("12.5", "NSDecimalNumber") == 12.5
      (= (decimal 12.5) 12.5)
      ? true
    CAST(12345, 'NSDate') < when
      (< (date 12345.0) when)
      > CAST(12345.000000, "NSDate") < when
      ? true
    CAST(12345.5, "NSDate") < when
      (< (date 12345.5) when)
      > CAST(12345.500000, "NSDate") < when
      ? true
    CAST(-1, "NSDate") < when
      (< (date -1.0) when)
      > CAST(-1.000000, "NSDate") < when
      ? true
    CAST(when, "NSNumber") == 86400
      (= (cast when NSNumber) 86400)
      ? true
    CAST("E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "NSUUID") != nil
      (!= (uuid E621) nil)
      ? true
    CAST("https://example.org/a", "NSURL") != nil
      (!= (url https://example.org/a) nil)
      ? true
    CAST("AQID", "NSData") != nil
      (!= (data 3) nil)
      ? true
    CAST("nonsense", "NSUUID") == nil
      (= (cast 'nonsense' NSUUID) nil)
      ? true
    CAST(1, "Unknown") == nil
      (= (cast 1 Unknown) nil)
      ? true
    CAST("nan", "NSNumber") == 1
      (= (cast 'nan' NSNumber) 1)
      ? false
    CAST("inf", "NSNumber") > 1
      (> inf 1)
      ? true
    CAST("-inf", "NSNumber") < 1
      (< -inf 1)
      ? true
    CAST({1}, "NSString") == nil
      (= (cast {1} NSString) nil)
      ? true
    cast(a + 1, "NSString") == "2"
      (= (cast (add:to: a 1) NSString) '2')
      > CAST(a + 1, "NSString") == "2"
      ? true
    """#
}
