extension GrammarTables {
  /// Formats of operators between operands of every kind.
  package static let comparisonsMore = #"""
    self == nil
      (= SELF nil)
      > SELF == nil
      ? false
    when < now()
      (< when (now))
    when == CAST(86400, "NSDate")
      (= when (date 86400.0))
      > when == CAST(86400.000000, "NSDate")
      ? true
    when > CAST(0, 'NSDate')
      (> when (date 0.0))
      > when > CAST(0.000000, "NSDate")
      ? true
    when < CAST(86400.5, "NSDate")
      (< when (date 86400.5))
      > when < CAST(86400.500000, "NSDate")
      ? true
    a BETWEEN {1, 2}
      (between a {1 2})
      ? true
    a between {1, 2}
      (between a {1 2})
      > a BETWEEN {1, 2}
      ? true
    a BETWEEN {2, 3}
      (between a {2 3})
      ? false
    b BETWEEN {a, c}
      (between b {a c})
      ? true
    f BETWEEN {2, 3}
      (between f {2 3})
      ? true
    t BETWEEN {"a", "z"}
      (between t {'a' 'z'})
      ? true
    a + 1 BETWEEN {a, b + c}
      (between (add:to: a 1) {a (add:to: b c)})
      ? true
    a BETWEEN list
      (between a list)
      ? false
    a BETWEEN {1, 2, 3}
      (between a {1 2 3})
      ? false
    NOT a BETWEEN {1, 2}
      (not (between a {1 2}))
      ? false
    missing BETWEEN {1, 2}
      (between missing {1 2})
      ? false
    when BETWEEN {CAST(0, "NSDate"), CAST(90000, "NSDate")}
      (between when {(date 0.0) (date 90000.0)})
      > when BETWEEN {CAST(0.000000, "NSDate"), CAST(90000.000000, "NSDate")}
      ? true
    a IN {1, 2, 3}
      (in a {1 2 3})
      ? true
    a in {1, 2, 3}
      (in a {1 2 3})
      > a IN {1, 2, 3}
      ? true
    a In {5}
      (in a {5})
      > a IN {5}
      ? false
    a IN {}
      (in a {})
      ? false
    a IN list
      (in a list)
      ? true
    5 IN list
      (in 5 list)
      ? false
    t IN {"text", "other"}
      (in t {'text' 'other'})
      ? true
    t IN words
      (in t words)
      ? false
    "two" IN[c] words
      (in/c 'two' words)
      ? true
    "two" IN words
      (in 'two' words)
      ? false
    "ex" IN t
      (in 'ex' t)
      ? true
    "EX" IN[c] t
      (in/c 'EX' t)
      ? true
    nil IN {1, nil}
      (in nil {1 nil})
      ? true
    NOT a IN {2}
      (not (in a {2}))
      ? true
    a IN {a, b}
      (in a {a b})
      ? true
    SELF IN {1}
      (in SELF {1})
      ? false
    a IN {1, "x", 2.5}
      (in a {1 'x' 2.5})
      ? true
    o.a IN {5}
      (in o.a {5})
      ? true
    when IN {CAST(86400, "NSDate")}
      (in when {(date 86400.0)})
      > when IN {CAST(86400.000000, "NSDate")}
      ? true
    list CONTAINS 2
      (contains list 2)
      ? true
    list contains 9
      (contains list 9)
      > list CONTAINS 9
      ? false
    words CONTAINS "one"
      (contains words 'one')
      ? true
    words CONTAINS "ONE"
      (contains words 'ONE')
      ? false
    words CONTAINS[c] "ONE"
      (contains/c words 'ONE')
      ? true
    empty CONTAINS 1
      (contains empty 1)
      ? false
    {1, 2} CONTAINS a
      (contains {1 2} a)
      ? true
    o.list CONTAINS 7
      (contains o.list 7)
      ? true
    a == 1 OR a == 2
      (or (= a 1) (= a 2))
      ? true
    a @isEqual: b
      (@isEqual: a b)
    a @compare b
      (@compare a b)
    s @localizedStandardCompare: "x"
      (@localizedStandardCompare: s 'x')
    s @sort:with:[cd] "x"
      (@sort:with:/cd s 'x')
    s @"odd name!" t
      (@odd name! s t)
    ANY words @isEqual: "one"
      (any @isEqual: words 'one')
    a=1
      (= a 1)
      > a == 1
      ? true
    a!=-1
      (!= a -1)
      > a != -1
      ? true
    a<-1
      (< a -1)
      > a < -1
      ? false
    a>=-1
      (>= a -1)
      > a >= -1
      ? true
    a<>b
      (!= a b)
      > a != b
      ? true
    a=>b
      (>= a b)
      > a >= b
      ? false
    """#
}
