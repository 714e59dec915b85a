extension GrammarTables {
  /// Formats of predicates from documentation and from real applications.
  package static let documented = #"""
    (X == 10 AND Y == 30) AND (Z == 20 OR K == 40)
      (and (and (= X 10) (= Y 30)) (or (= Z 20) (= K 40)))
    X=10&&Y=30||!(Z<>20)
      (or (and (= X 10) (= Y 30)) (not (!= Z 20)))
      > (X == 10 AND Y == 30) OR NOT Z != 20
    NOT x == 1
      (not (= x 1))
    NOT (x == 1)
      (not (= x 1))
      > NOT x == 1
    name == '%@'
      (= name '%@')
      > name == "%@"
    author != "x"
      (!= author 'x')
    flag == YES
      (= flag YES)
      > flag == 1
    flag == 1
      (= flag 1)
    flag == true
      (= flag YES)
      > flag == 1
    stringAttr IN {9, 10, 11}
      (in stringAttr {9 10 11})
    rel == %@ <== 4
      (= rel %0)
      > rel == 4
    ANY rel.attr == %@ <== s:v
      (any = rel.attr %0)
      > ANY rel.attr == "v"
    rel.@count == 0
      (= rel.@count 0)
    pages.@sum.length > 5
      (> pages.@sum.length 5)
    pages.length.@sum > 5
      (> pages.length.@sum 5)
    SUBQUERY(pages, $x, $x.n > 1).@count > 0
      (> (. (subquery pages $x (> (. $x n) 1)) @count) 0)
    SUBQUERY(pages, $x, $x.n > 1) != nil
      (!= (subquery pages $x (> (. $x n) 1)) nil)
    SUBQUERY(pages, $x, SUBQUERY($x.notes, $y, $y.n == $x.n).@count > 0).@count > 2
      (> (. (subquery pages $x (> (. (subquery (. $x notes) $y (= (. $y n) (. $x n))) @count) 0)) @count) 2)
    when < CAST(694224000.000000, "NSDate")
      (< when (date 694224000.0))
    CAST(12345, 'NSDate') == when
      (= (date 12345.0) when)
      > CAST(12345.000000, "NSDate") == when
    CAST(x, "NSNumber") == 1
      (= (cast x NSNumber) 1)
    CAST(x, "NSString") == "1"
      (= (cast x NSString) '1')
    imageData != nil
      (!= imageData nil)
    text = %@ <== s:x
      (= text %0)
      > text == "x"
    album == nil
      (= album nil)
    lastPlayedAt != nil
      (!= lastPlayedAt nil)
    playCount > 0
      (> playCount 0)
    %K CONTAINS[cd] %@ <== s:name s:x
      (contains/cd name %0)
      > name CONTAINS[cd] "x"
    x BETWEEN {a, b}
      (between x {a b})
    x BETWEEN %@ <== l:1,5
      (between x %0)
      > x BETWEEN {1, 5}
    ANY x.y == 1
      (any = x.y 1)
    ALL x.y == 1
      (all = x.y 1)
    NONE x.y == 1
      (not (any = x.y 1))
      > NOT ANY x.y == 1
    SOME x.y == 1
      (any = x.y 1)
      > ANY x.y == 1
    collection[FIRST] == 1
      (= (first collection) 1)
    collection[LAST] == 1
      (= (last collection) 1)
    collection[SIZE] == 1
      (= (size collection) 1)
    collection[5] == 1
      (= (index collection 5) 1)
    fetchSource == $FETCH_SOURCE
      (= fetchSource $FETCH_SOURCE)
    $FETCH_SOURCE.name == name
      (= (. $FETCH_SOURCE name) name)
    name == $FETCHED_PROPERTY.userInfo.name
      (= name (. $FETCHED_PROPERTY userInfo.name))
    %K IN %K <== s:a s:b.c
      (in a b.c)
      > a IN b.c
    a.b.@count + 1 > length:(name) * 2
      (> (add:to: a.b.@count 1) (multiply:by: (length: name) 2))
    modulus:by:(number, 2) == 0
      (= (modulus:by: number 2) 0)
    bitwiseAnd:with:(flags, 4) != 0
      (!= (bitwiseAnd:with: flags 4) 0)
      > flags & 4 != 0
    noindex:(name) BEGINSWITH[n] "a"
      (beginsWith/n (noindex: name) 'a')
    canonical:(name) == "a"
      (= (canonical: name) 'a')
    castObject:toType:(x, "NSNumber") > 1
      (> (castObject:toType: x 'NSNumber') 1)
    TERNARY(x > 1, a, b) == c
      (= (ternary (> x 1) a b) c)
    $v := x + 1 > 2
      (> (:= $v (add:to: x 1)) 2)
      > ($v := x + 1) > 2
    children.@distinctUnionOfObjects.name.@count > 1
      (> children.@distinctUnionOfObjects.name.@count 1)
    """#
}
