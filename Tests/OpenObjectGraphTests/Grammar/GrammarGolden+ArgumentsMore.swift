extension GrammarGolden {
  /// The expected results in stores of the formats of `GrammarTables.argumentsMore`.
  static let argumentsMore = #"""
    %K == 1 <== s:a
      t0.ZA = ?
      1 7 12
    %K == %@ <== s:o.a 5
      t1.ZA = ?
      1 2 8
    %K.%K == 5 <== s:o s:a
      t1.ZA = ?
      1 2 8
    o.%K == 5 <== s:a
      t1.ZA = ?
      1 2 8
    %K == 4 <== s:size
      t0.ZSIZE = ?
      1 4 10
    %K == nil <== s:in
      t0.ZIN IS NULL
      1 3 6 8 10 11
    %K == 1 <== s:SELF.a
      t0.ZA = ?
      1 7 12
    %K == 1 <== s:self.a
      t0.ZA = ?
      1 7 12
    %K == 1 <== s:SELF
      error 134060: The predicate compares a property with a value of another type (number). Entity: Sample.
    %K == 3 <== s:list.@count
      memory: the transformable attribute list
      1 6 12
    %K == 6 <== s:pages.@sum.n
      (SELECT SUM(t1.ZN) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK) = ?
      1 12
    pages.%K == 6 <== s:@sum.n
      (SELECT SUM(t1.ZN) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK) = ?
      1 12
    %K == nil <== s:odd-key
      error 134060: keypath odd-key not found in entity Sample. Entity: Sample. Property: odd-key.
    %K == %K <== s:a s:a
      t0.ZA = t0.ZA
      1 2 3 5 6 7 8 10 11 12; evaluated all (null: a)
    %K[0] == 1 <== s:list
      memory: an index
      1 10 12
    %K IN %@ <== s:a l:1,2
      t0.ZA IN (?, ?)
      1 2 7 11 12
    %K IN %K <== s:a s:list
      memory: the transformable attribute list
      1 12
    %K in %@ <== s:a l:3,4
      t0.ZA IN (?, ?)
      3 10
    %K == YES && %K > 0 <== s:yes s:b
      t0.ZYES = ? AND t0.ZB > ?
      1 6 8 9 12
    %K = %@ AND %d <= %K AND %K <= %d <== s:t s:text 1 s:b s:b 2
      t0.ZT = ? AND ? <= t0.ZB AND t0.ZB <= ?
      1
    %K CONTAINS[cd] %@ <== s:s s:RESUM
      ocd_contains(t0.ZS, ?, 3)
      1 2 3 6
    %K.%K CONTAINS[cd] %@ <== s:o s:s s:INNER
      ocd_contains(t1.ZS, ?, 3)
      1 2 6 8 11 12
    %K == SELF <== s:a
      error 134060: The predicate compares two properties whose types cannot be compared. Entity: Sample. Property: a.
    ANY %K == %@ <== s:list 2
      memory: the transformable attribute list
      1 5 10 12
    SUBQUERY(%K, $x, $x.%K > %d).@count == %d <== s:pages s:n 1 2
      (SELECT COUNT(*) FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND t1.ZN > ?) = ?
      1 12
    SUBQUERY(%@, $x, $x > 4).@count == 1 <== l:4,5
      ? = ?
      all
    FUNCTION(%@, "uppercase:") == %@ <== s:ab s:AB
      ? = ?
      all
    CAST(%@, "NSNumber") == 5 <== s:5
      ? = ?
      all
    TERNARY(a == %@, %@, %@) == 8 <== 1 8 9
      memory: a comparison with a conditional expression of constants
      1 7 12
    %@.@count == 2 <== l:1,2
      ? = ?
      all
    %@.length() == 4 <== s:text
      ? = ?
      all
    t BEGINSWITH %@ <== s:te
      t0.ZT >= ? AND t0.ZT < ?
      1 10 11 12
    t LIKE %@ <== s:t*t
      ocd_like(t0.ZT, ?, 0)
      1 3 6 11 12
    t MATCHES %@ <== s:t.*
      ocd_matches(t0.ZT, ?, 0)
      1 3 6 9 10 11
    t MATCHES %@ <== s:[
      ocd_matches(t0.ZT, ?, 0)
      none
    NOT a == %@ OR b == %@ <== 1 2
      NOT (t0.ZA = ?) OR t0.ZB = ?
      1 2 3 5 6 8 10 11; evaluated 1 2 3 4 5 6 8 9 10 11 (null: a, b)
    list[%d] == 2 <== 1
      memory: an index
      1 5 10 12
    modulus:by:(%@, %@) == 1 <== 7 3
      ? = ?
      all
    -%@ == -1 <== 1
      ? = ?
      all
    s == '%@'
      t0.ZS = ?
      8
    thread = %@ AND %d <= %K AND %K <= %d <== s:x 1 s:n s:n 9
      t0.ZTHREAD = ? AND ? <= t0.ZN AND t0.ZN <= ?
      2 3 6 8 10 11
    metadata.visibleInForumList == YES
      t1.ZVISIBLEINFORUMLIST = ?
      2 7 10 12
    forum.forumID in %@ <== l:1,2
      t1.ZFORUMID IN (?, ?)
      2 3 5 7 9 11 12
    lastUsedDate != nil
      NOT (t0.ZLASTUSEDDATE IS NULL)
      2 3 5 7 8 11 12
    author.userID = %@ <== s:9
      t1.ZUSERID = ?
      2 4 6 9
    self IN %@ <== l:1,2
      error 134060: The predicate compares a property with a value of another type (number). Entity: Sample.
    NOT (self IN %@) <== l:1,2
      error 134060: The predicate compares a property with a value of another type (number). Entity: Sample.
    entity == %@ <== s:x
      error 134060: An object's entity can be compared only with an entity description. Entity: Sample. Property: entity.
    objectID == %@ <== 4
      error 134060: The predicate compares a property with a value of another type (number). Entity: Sample.
    user == %@ AND isDefault == YES <== s:u
      t0.ZUSER = ? AND t0.ZISDEFAULT = ?
      5 8
    markedForDeletionAsOf < %@ <== d:5
      t0.ZMARKEDFORDELETIONASOF < ?
      2 3 7 8 11
    """#
}
