extension GrammarGolden {
  /// The expected results in stores of the formats of `GrammarTables.keys`.
  static let keys = #"""
    o.a == 5
      t1.ZA = ?
      1 2 8
    o . a == 5
      t1.ZA = ?
      1 2 8
    o.o.a == nil
      t2.ZA IS NULL
      1 3 4 6 7 9 10 12
    SELF.a == 1
      t0.ZA = ?
      1 7 12
    self.a == 1
      t0.ZA = ?
      1 7 12
    Self.o.a == 5
      t1.ZA = ?
      1 2 8
    SELF.SELF.a == 1
      t0.ZA = ?
      1 7 12
    SELF.list[0] == 1
      memory: an index
      1 10 12
    SELF == 1
      error 134060: The predicate compares a property with a value of another type (number). Entity: Sample.
    #a == 1
      t0.ZA = ?
      1 7 12
    #size == 4
      t0.ZSIZE = ?
      1 4 10
    #SIZE == nil
      error 134060: keypath SIZE not found in entity Sample. Entity: Sample. Property: SIZE.
    o.#a == 5
      t1.ZA = ?
      1 2 8
    o.first == nil
      error 134060: keypath o.first not found in entity Sample. Entity: Sample. Property: first.
    o.size == nil
      error 134060: keypath o.size not found in entity Sample. Entity: Sample. Property: size.
    o.self.a == 5
      t1.ZA = ?
      1 2 8
    o.in == nil
      error 134060: keypath o.in not found in entity Sample. Entity: Sample. Property: in.
    #"first name" == "Ada"
      error 134060: keypath first name not found in entity Sample. Entity: Sample. Property: first name.
    #"a.b" == nil
      error 134060: keypath a.b not found in entity Sample. Entity: Sample. Property: a.b.
    #"" == nil
      error 134060: keypath  not found in entity Sample. Entity: Sample. Property: .
    o.#"x y".z == nil
      error 134060: keypath o.x y.z not found in entity Sample. Entity: Sample. Property: x y.
    #and == nil
      error 134060: keypath and not found in entity Sample. Entity: Sample. Property: and.
    #self == nil
      t0.Z_PK IS NULL
      none
    #in == nil
      t0.ZIN IS NULL
      1 3 6 8 10 11
    #null == nil
      error 134060: keypath null not found in entity Sample. Entity: Sample. Property: null.
    #true == nil
      error 134060: keypath true not found in entity Sample. Entity: Sample. Property: true.
    #first == nil
      t0.ZFIRST IS NULL
      1 3 4 7 9 12
    #any == nil
      error 134060: keypath any not found in entity Sample. Entity: Sample. Property: any.
    _private == nil
      error 134060: keypath _private not found in entity Sample. Entity: Sample. Property: _private.
    a1 == nil
      t0.ZA1 IS NULL
      1 4 6 12
    _1 == nil
      error 134060: keypath _1 not found in entity Sample. Entity: Sample. Property: _1.
    größe == 7
      t0."ZGRÖSSE" = ?
      1 9
    日本 == "東京"
      t0."Z日本" = ?
      1
    é == nil
      error 134060: keypath é not found in entity Sample. Entity: Sample. Property: é.
    ключ.имя == nil
      error 134060: keypath ключ.имя not found in entity Sample. Entity: Sample. Property: ключ.
    κλειδί == nil
      error 134060: keypath κλειδί not found in entity Sample. Entity: Sample. Property: κλειδί.
    pages.@count == 3
      (SELECT COUNT(*) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK) = ?
      1 5 8 12
    pages.n.@count == 3
      (SELECT COUNT(*) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK) = ?
      1 5 8 12
    empty.@count == 0
      memory: the transformable attribute empty
      1 4 7 8 10
    missing.@count == 0
      error 134060: @count requires a to-many relationship. Entity: Sample. Property: missing.@count.
    pages.@sum.n == 6
      (SELECT SUM(t1.ZN) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK) = ?
      1 12
    pages.n.@sum == 6
      (SELECT SUM(t1.ZN) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK) = ?
      1 12
    pages.@avg.n == 2
      (SELECT AVG(t1.ZN) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK) = ?
      1 2 12
    pages.@min.n == 1
      (SELECT MIN(t1.ZN) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK) = ?
      1 9 12
    pages.@max.n == 3
      (SELECT MAX(t1.ZN) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK) = ?
      1 10 12
    pages.@max.t == "z"
      (SELECT MAX(t1.ZT) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK) = ?
      1 2 8 10 12
    empty.@max.n == nil
      error 134060: An object or value has no property “n”. Entity: Sample.
    empty.@sum.n == 0
      error 134060: An object or value has no property “n”. Entity: Sample.
    list.@sum.self == 6
      memory: the transformable attribute list
      1 12
    list.@sum == 6
      memory: the transformable attribute list
      1 12
    list.@max == 3
      memory: the transformable attribute list
      1 7 12
    3 IN pages.@distinctUnionOfObjects.n
      EXISTS (SELECT 1 FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND t1.ZN = ?)
      1 5 8 10 12
    3 IN pages.@unionOfObjects.n
      EXISTS (SELECT 1 FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND t1.ZN = ?)
      1 5 8 10 12
    lists.@unionOfArrays.n == nil
      error 134060: keypath lists.n not found in entity Sample. Entity: Sample. Property: lists.
    lists.@distinctUnionOfArrays.n == nil
      error 134060: keypath lists.n not found in entity Sample. Entity: Sample. Property: lists.
    lists.@unionOfSets.n == nil
      error 134060: keypath lists.n not found in entity Sample. Entity: Sample. Property: lists.
    lists.@distinctUnionOfSets.n == nil
      error 134060: keypath lists.n not found in entity Sample. Entity: Sample. Property: lists.
    @count == 0
      error 134060: @count requires a to-many relationship. Entity: Sample. Property: @count.
    @sum.n == nil
      error 134060: @sum requires a to-many relationship. Entity: Sample. Property: @sum.n.
    o.list.@count == 2
      memory: the transformable attribute list
      1 8 9 12
    (o).a == 5
      t1.ZA = ?
      1 2 8
    (o.a) == 5
      t1.ZA = ?
      1 2 8
    ((o)).list.@count == 2
      memory: the transformable attribute list
      1 8 9 12
    (o.list)[0] == 7
      memory: an index
      1 6 9
    "text".length() == 4
      ? = ?
      all
    t.length() == 4
      ocd_value('length:', t0.ZT) = ?
      1 2 3 7
    t.length:() == 4
      ocd_value('length:', t0.ZT) = ?
      1 2 3 7
    o.s.uppercase() == "INNER"
      ocd_uppercase(t1.ZS) = ?
      1 2 6 12
    t.uppercase:().lowercase:() == "text"
      ocd_lowercase(ocd_uppercase(t0.ZT)) = ?
      1 2 7
    list.sum() == 6
      memory: the transformable attribute list
      1 12
    list.objectFrom:withIndex:(1) == 2
      memory: the function objectFrom:withIndex:
      1 5 10 12
    {1, 2, 3}.@count == 3
      ? = ?
      all
    {1, 2, 3}.@sum == 6
      ? = ?
      all
    {}.@count == 0
      ? = ?
      all
    nil.a == nil
      ? IS NULL
      all
    5.a == nil
      ? IS NULL
      all
    (-5).a == nil
      ? IS NULL
      all
    $x == nil
      error 134060: The variable $x has no value. Entity: Sample.
    $x.a == nil
      error 134060: The variable $x has no value. Entity: Sample.
    $x.a.@count == 0
      error 134060: The variable $x has no value. Entity: Sample.
    $self == nil
      error 134060: The variable $self has no value. Entity: Sample.
    $IN == nil
      error 134060: The variable $IN has no value. Entity: Sample.
    $größe == nil
      error 134060: The variable $größe has no value. Entity: Sample.
    $"odd name" == nil
      error 134060: The variable $odd name has no value. Entity: Sample.
    ($x := a) == 1
      memory: an assignment
      1 7 12
    $x := a == 1
      memory: an assignment
      1 7 12
    $x := a + b == 3
      memory: an assignment
      1 5 10
    2 * $x := a + b == 6
      memory: an assignment
      1 5 10
    {$x := 1, 2} CONTAINS 2
      ? = ? OR ? = ?
      all
    ($x := list).@count == 3
      memory: a key path that starts at the result of an expression
      1 6 12
    ($x := o).a == 5
      memory: a key path that starts at the result of an expression
      1 2 8
    ANYKEY == 1
      error 134060: ANYKEY requires a dictionary. Entity: Sample.
    anykey CONTAINS "x"
      error 134060: ANYKEY requires a dictionary. Entity: Sample.
    ANYKEY LIKE[c] "x*"
      error 134060: ANYKEY requires a dictionary. Entity: Sample.
    FETCH(request, context, NO) == nil
      error 134060: FETCH needs a fetch request as its first argument.
    fetch($r, $c, YES).@count > 0
      error 134060: The variable $c has no value. Entity: Sample.
    FETCH(a, b, 1 + 1) > 1
      error 134060: FETCH needs a fetch request as its first argument.
    """#
}
