extension GrammarTables {
  /// Formats of modifiers, indexes and set operators.
  package static let collections = #"""
    ANY list == 2
      (any = list 2)
      ? true
    any list == 2
      (any = list 2)
      > ANY list == 2
      ? true
    SOME list == 2
      (any = list 2)
      > ANY list == 2
      ? true
    some list > 5
      (any > list 5)
      > ANY list > 5
      ? false
    ALL list > 0
      (all > list 0)
      ? true
    all list > 1
      (all > list 1)
      > ALL list > 1
      ? false
    NONE list > 5
      (not (any > list 5))
      > NOT ANY list > 5
      ? true
    none list == 1
      (not (any = list 1))
      > NOT ANY list == 1
      ? false
    ANY empty == 1
      (any = empty 1)
      ? false
    ALL empty == 1
      (all = empty 1)
      ? true
    NONE empty == 1
      (not (any = empty 1))
      > NOT ANY empty == 1
      ? true
    ANY pages.n > 2
      (any > pages.n 2)
      ? true
    ALL pages.n > 2
      (all > pages.n 2)
      ? false
    NONE pages.n > 3
      (not (any > pages.n 3))
      > NOT ANY pages.n > 3
      ? true
    SOME pages.t IN {"x", "q"}
      (any in pages.t {'x' 'q'})
      > ANY pages.t IN {"x", "q"}
      ? true
    ANY pages.t BEGINSWITH "z"
      (any beginsWith pages.t 'z')
      ? true
    ANY (pages.n) > 2
      (any > pages.n 2)
      > ANY pages.n > 2
      ? true
    ANY {1, 2} > 1
      (any > {1 2} 1)
      ? true
    ALL {1, 2} > 1
      (all > {1 2} 1)
      ? false
    ANY list + 1 == 2
      (any = (add:to: list 1) 2)
    ANY list BETWEEN {3, 4}
      (any between list {3 4})
      ? true
    ANY list IN {9, 3}
      (any in list {9 3})
      ? true
    ANY words CONTAINS "n"
      (any contains words 'n')
      ? true
    ANY words MATCHES "T.*"
      (any matches words 'T.*')
      ? true
    ANY list == a
      (any = list a)
      ? true
    ANY SUBQUERY(pages, $p, $p.n > 1).n == 3
      (any = (. (subquery pages $p (> (. $p n) 1)) n) 3)
      ? true
    ANY a == 1
      (any = a 1)
      ? true
    list[0] == 1
      (= (index list 0) 1)
      ? true
    list[2] == 3
      (= (index list 2) 3)
      ? true
    list[9] == nil
      (= (index list 9) nil)
      ? true
    list[-1] == nil
      (= (index list -1) nil)
      ? true
    list[FIRST] == 1
      (= (first list) 1)
      ? true
    list[first] == 1
      (= (first list) 1)
      > list[FIRST] == 1
      ? true
    list[LAST] == 3
      (= (last list) 3)
      ? true
    list[Last] == 3
      (= (last list) 3)
      > list[LAST] == 3
      ? true
    list[SIZE] == 3
      (= (size list) 3)
      ? true
    list[size] == 3
      (= (size list) 3)
      > list[SIZE] == 3
      ? true
    empty[FIRST] == nil
      (= (first empty) nil)
      ? true
    empty[SIZE] == 0
      (= (size empty) 0)
      ? true
    list [ 0 ] == 1
      (= (index list 0) 1)
      > list[0] == 1
      ? true
    list[a] == 2
      (= (index list a) 2)
      ? true
    list[a + 1] == 3
      (= (index list (add:to: a 1)) 3)
      ? true
    list[list[0]] == 2
      (= (index list (index list 0)) 2)
      ? true
    list[#size] == nil
      (= (index list size) nil)
      ? true
    o["a"] == 5
      (= (index o 'a') 5)
      ? true
    o["list"][1] == 8
      (= (index (index o 'list') 1) 8)
      ? true
    pages[0].n == 1
      (= (. (index pages 0) n) 1)
      ? true
    pages[LAST].t == "z"
      (= (. (last pages) t) 'z')
      ? true
    pages[0]["t"] == "x"
      (= (index (index pages 0) 't') 'x')
      ? true
    pages.n[2] == 3
      (= (index pages.n 2) 3)
      ? true
    {5, 6}[1] == 6
      (= (index {5 6} 1) 6)
      ? true
    {5, 6}[LAST] == 6
      (= (last {5 6}) 6)
      ? true
    (list)[0] == 1
      (= (index list 0) 1)
      > list[0] == 1
      ? true
    (list UNION empty)[SIZE] == 3
      (= (size (union list empty)) 3)
      ? true
    $x[0] == nil
      (= (index $x 0) nil)
      ? true
    %@[0] == 4 <== l:4,5
      (= (index %0 0) 4)
      > {4, 5}[0] == 4
      ? true
    %@[SIZE] == 2 <== l:4,5
      (= (size %0) 2)
      > {4, 5}[SIZE] == 2
      ? true
    words[0].length() == 3
      (= (length: (index words 0)) 3)
      > length:(words[0]) == 3
      ? true
    list UNION {4} == {1, 2, 3, 4}
      (= (union list {4}) {1 2 3 4})
      ? true
    (list UNION {4}).@count == 4
      (= (. (union list {4}) @count) 4)
      ? true
    list INTERSECT {2, 9} == {2}
      (= (intersect list {2 9}) {2})
      ? true
    list MINUS {1} == {2, 3}
      (= (minus list {1}) {2 3})
      ? true
    list minus {1, 2} union {9} == {3, 9}
      (= (union (minus list {1 2}) {9}) {3 9})
      > list MINUS {1, 2} UNION {9} == {3, 9}
      ? true
    list MINUS ({1, 2} UNION {9}) == {3}
      (= (minus list (union {1 2} {9})) {3})
      ? true
    (list MINUS {1}) INTERSECT {2} == {2}
      (= (intersect (minus list {1}) {2}) {2})
      > list MINUS {1} INTERSECT {2} == {2}
      ? true
    3 IN list INTERSECT {3, 4}
      (in 3 (intersect list {3 4}))
      ? true
    2 IN list MINUS {2}
      (in 2 (minus list {2}))
      ? false
    {1} UNION {a + 1} == {1, 2}
      (= (union {1} {(add:to: a 1)}) {1 2})
      ? true
    ANY list UNION o.list == 8
      (any = (union list o.list) 8)
      ? true
    list == {1, 2, 3}
      (= list {1 2 3})
      ? true
    list != {1, 2}
      (!= list {1 2})
      ? true
    list == list
      (= list list)
      ? true
    {1, 2} IN {{1, 2}, {3}}
      (in {1 2} {{1 2} {3}})
      ? true
    words[0] IN words
      (in (index words 0) words)
      ? true
    words[SIZE] == list[SIZE]
      (= (size words) (size list))
      ? true
    list.@count + words.@count == 6
      (= (add:to: list.@count words.@count) 6)
      ? true
    list.@count BETWEEN {1, 3}
      (between list.@count {1 3})
      ? true
    list.@max IN list
      (in list.@max list)
      ? true
    list.@count == words.@count AND ANY words == "one"
      (and (= list.@count words.@count) (any = words 'one'))
      ? true
    """#
}
