extension GrammarTables {
  /// Formats of keys, paths, collection operators, variables and assignments.
  package static let keys = #"""
    o.a == 5
      (= o.a 5)
      ? true
    o . a == 5
      (= o.a 5)
      > o.a == 5
      ? true
    o.o.a == nil
      (= o.o.a nil)
      ? true
    SELF.a == 1
      (= a 1)
      > a == 1
      ? true
    self.a == 1
      (= a 1)
      > a == 1
      ? true
    Self.o.a == 5
      (= o.a 5)
      > o.a == 5
      ? true
    SELF.SELF.a == 1
      (= SELF.a 1)
      > #SELF.a == 1
      ? true
    SELF.list[0] == 1
      (= (index list 0) 1)
      > list[0] == 1
      ? true
    SELF == 1
      (= SELF 1)
    #a == 1
      (= a 1)
      > a == 1
      ? true
    #size == 4
      (= size 4)
      ? true
    #SIZE == nil
      (= SIZE nil)
      ? true
    o.#a == 5
      (= o.a 5)
      > o.a == 5
      ? true
    o.first == nil
      (= o.first nil)
      ? true
    o.size == nil
      (= o.size nil)
      ? true
    o.self.a == 5
      (= o.self.a 5)
      ? true
    o.in == nil
      (= o.in nil)
      ? true
    #"first name" == "Ada"
      (= first name 'Ada')
      ? true
    #"a.b" == nil
      (= a.b nil)
      ? true
    #"" == nil
      (=  nil)
      ? true
    o.#"x y".z == nil
      (= o.x y.z nil)
      ? true
    #and == nil
      (= and nil)
      ? true
    #self == nil
      (= self nil)
    #in == nil
      (= in nil)
      ? true
    #null == nil
      (= null nil)
      ? true
    #true == nil
      (= true nil)
      ? true
    #first == nil
      (= first nil)
      ? true
    #any == nil
      (= any nil)
      ? true
    _private == nil
      (= _private nil)
      ? true
    a1 == nil
      (= a1 nil)
      ? true
    _1 == nil
      (= _1 nil)
      ? true
    größe == 7
      (= größe 7)
      ? true
    日本 == "東京"
      (= 日本 '東京')
      ? true
    é == nil
      (= é nil)
      ? true
    ключ.имя == nil
      (= ключ.имя nil)
      ? true
    κλειδί == nil
      (= κλειδί nil)
      ? true
    pages.@count == 3
      (= pages.@count 3)
      ? true
    pages.n.@count == 3
      (= pages.n.@count 3)
      ? true
    empty.@count == 0
      (= empty.@count 0)
      ? true
    missing.@count == 0
      (= missing.@count 0)
    pages.@sum.n == 6
      (= pages.@sum.n 6)
      ? true
    pages.n.@sum == 6
      (= pages.n.@sum 6)
      ? true
    pages.@avg.n == 2
      (= pages.@avg.n 2)
      ? true
    pages.@min.n == 1
      (= pages.@min.n 1)
      ? true
    pages.@max.n == 3
      (= pages.@max.n 3)
      ? true
    pages.@max.t == "z"
      (= pages.@max.t 'z')
      ? true
    empty.@max.n == nil
      (= empty.@max.n nil)
      ? true
    empty.@sum.n == 0
      (= empty.@sum.n 0)
      ? true
    list.@sum.self == 6
      (= list.@sum.self 6)
      ? true
    list.@sum == 6
      (= list.@sum 6)
      ? true
    list.@max == 3
      (= list.@max 3)
      ? true
    3 IN pages.@distinctUnionOfObjects.n
      (in 3 pages.@distinctUnionOfObjects.n)
      ? true
    3 IN pages.@unionOfObjects.n
      (in 3 pages.@unionOfObjects.n)
      ? true
    lists.@unionOfArrays.n == nil
      (= lists.@unionOfArrays.n nil)
    lists.@distinctUnionOfArrays.n == nil
      (= lists.@distinctUnionOfArrays.n nil)
    lists.@unionOfSets.n == nil
      (= lists.@unionOfSets.n nil)
    lists.@distinctUnionOfSets.n == nil
      (= lists.@distinctUnionOfSets.n nil)
    @count == 0
      (= @count 0)
    @sum.n == nil
      (= @sum.n nil)
      ? true
    o.list.@count == 2
      (= o.list.@count 2)
      ? true
    (o).a == 5
      (= o.a 5)
      > o.a == 5
      ? true
    (o.a) == 5
      (= o.a 5)
      > o.a == 5
      ? true
    ((o)).list.@count == 2
      (= o.list.@count 2)
      > o.list.@count == 2
      ? true
    (o.list)[0] == 7
      (= (index o.list 0) 7)
      > o.list[0] == 7
      ? true
    "text".length() == 4
      (= (length: 'text') 4)
      > length:("text") == 4
      ? true
    t.length() == 4
      (= (length: t) 4)
      > length:(t) == 4
      ? true
    t.length:() == 4
      (= (length: t) 4)
      > length:(t) == 4
      ? true
    o.s.uppercase() == "INNER"
      (= (uppercase: o.s) 'INNER')
      > uppercase:(o.s) == "INNER"
      ? true
    t.uppercase:().lowercase:() == "text"
      (= (lowercase: (uppercase: t)) 'text')
      > lowercase:(uppercase:(t)) == "text"
      ? true
    list.sum() == 6
      (= (sum: list) 6)
      > sum:(list) == 6
      ? true
    list.objectFrom:withIndex:(1) == 2
      (= (objectFrom:withIndex: list 1) 2)
      > objectFrom:withIndex:(list, 1) == 2
      ? true
    {1, 2, 3}.@count == 3
      (= (. {1 2 3} @count) 3)
      ? true
    {1, 2, 3}.@sum == 6
      (= (. {1 2 3} @sum) 6)
      ? true
    {}.@count == 0
      (= (. {} @count) 0)
      ? true
    nil.a == nil
      (= (. nil a) nil)
      ? true
    5.a == nil
      (= (. 5 a) nil)
      ? true
    (-5).a == nil
      (= (. -5 a) nil)
      ? true
    $x == nil
      (= $x nil)
      ? true
    $x.a == nil
      (= (. $x a) nil)
      ? true
    $x.a.@count == 0
      (= (. $x a.@count) 0)
    $self == nil
      (= $self nil)
      ? true
    $IN == nil
      (= $IN nil)
      ? true
    $größe == nil
      (= $größe nil)
      ? true
    $"odd name" == nil
      (= $odd name nil)
      ? true
    ($x := a) == 1
      (= (:= $x a) 1)
      ? true
    $x := a == 1
      (= (:= $x a) 1)
      > ($x := a) == 1
      ? true
    $x := a + b == 3
      (= (:= $x (add:to: a b)) 3)
      > ($x := a + b) == 3
      ? true
    2 * $x := a + b == 6
      (= (multiply:by: 2 (:= $x (add:to: a b))) 6)
      > 2 * ($x := a + b) == 6
      ? true
    {$x := 1, 2} CONTAINS 2
      (contains {(:= $x 1) 2} 2)
      > {($x := 1), 2} CONTAINS 2
      ? true
    ($x := list).@count == 3
      (= (. (:= $x list) @count) 3)
      ? true
    ($x := o).a == 5
      (= (. (:= $x o) a) 5)
      ? true
    ANYKEY == 1
      (= ANYKEY 1)
    anykey CONTAINS "x"
      (contains ANYKEY 'x')
      > ANYKEY CONTAINS "x"
    ANYKEY LIKE[c] "x*"
      (like/c ANYKEY 'x*')
    FETCH(request, context, NO) == nil
      (= (fetch request context NO) nil)
      > FETCH(request, context, 0) == nil
    fetch($r, $c, YES).@count > 0
      (> (. (fetch $r $c YES) @count) 0)
      > FETCH($r, $c, 1).@count > 0
    FETCH(a, b, 1 + 1) > 1
      (> (fetch a b (add:to: 1 1)) 1)
    """#
}
