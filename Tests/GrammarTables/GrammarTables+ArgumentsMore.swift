extension GrammarTables {
  /// Formats of specifiers with their arguments.
  package static let argumentsMore = #"""
    %K == 1 <== s:a
      (= a 1)
      > a == 1
      ? true
    %K == %@ <== s:o.a 5
      (= o.a %0)
      > o.a == 5
      ? true
    %K.%K == 5 <== s:o s:a
      (= o.a 5)
      > o.a == 5
      ? true
    o.%K == 5 <== s:a
      (= o.a 5)
      > o.a == 5
      ? true
    %K == 4 <== s:size
      (= size 4)
      > #size == 4
      ? true
    %K == nil <== s:in
      (= in nil)
      > #in == nil
      ? true
    %K == 1 <== s:SELF.a
      (= a 1)
      > a == 1
      ? true
    %K == 1 <== s:self.a
      (= a 1)
      > a == 1
      ? true
    %K == 1 <== s:SELF
      (= SELF 1)
      > SELF == 1
    %K == 3 <== s:list.@count
      (= list.@count 3)
      > list.@count == 3
      ? true
    %K == 6 <== s:pages.@sum.n
      (= pages.@sum.n 6)
      > pages.@sum.n == 6
      ? true
    pages.%K == 6 <== s:@sum.n
      (= pages.@sum.n 6)
      > pages.@sum.n == 6
      ? true
    %K == nil <== s:odd-key
      (= odd-key nil)
      > #"odd-key" == nil
      ? true
    %K == %K <== s:a s:a
      (= a a)
      > a == a
      ? true
    %K[0] == 1 <== s:list
      (= (index list 0) 1)
      > list[0] == 1
      ? true
    %K IN %@ <== s:a l:1,2
      (in a %0)
      > a IN {1, 2}
      ? true
    %K IN %K <== s:a s:list
      (in a list)
      > a IN list
      ? true
    %K in %@ <== s:a l:3,4
      (in a %0)
      > a IN {3, 4}
      ? false
    %K == YES && %K > 0 <== s:yes s:b
      (and (= yes YES) (> b 0))
      > #yes == 1 AND b > 0
      ? true
    %K = %@ AND %d <= %K AND %K <= %d <== s:t s:text 1 s:b s:b 2
      (and (= t %0) (<= %1 b) (<= b %2))
      > t == "text" AND 1 <= b AND b <= 2
      ? true
    %K CONTAINS[cd] %@ <== s:s s:RESUM
      (contains/cd s %0)
      > s CONTAINS[cd] "RESUM"
      ? true
    %K.%K CONTAINS[cd] %@ <== s:o s:s s:INNER
      (contains/cd o.s %0)
      > o.s CONTAINS[cd] "INNER"
      ? true
    %K == SELF <== s:a
      (= a SELF)
      > a == SELF
    ANY %K == %@ <== s:list 2
      (any = list %0)
      > ANY list == 2
      ? true
    SUBQUERY(%K, $x, $x.%K > %d).@count == %d <== s:pages s:n 1 2
      (= (. (subquery pages $x (> (. $x n) %0)) @count) %1)
      > SUBQUERY(pages, $x, $x.n > 1).@count == 2
      ? true
    SUBQUERY(%@, $x, $x > 4).@count == 1 <== l:4,5
      (= (. (subquery %0 $x (> $x 4)) @count) 1)
      > SUBQUERY({4, 5}, $x, $x > 4).@count == 1
      ? true
    FUNCTION(%@, "uppercase:") == %@ <== s:ab s:AB
      (= (uppercase: %0) %1)
      > uppercase:("ab") == "AB"
      ? true
    CAST(%@, "NSNumber") == 5 <== s:5
      (= (cast %0 NSNumber) 5)
      > 5 == 5
      ? true
    TERNARY(a == %@, %@, %@) == 8 <== 1 8 9
      (= (ternary (= a %0) %1 %2) 8)
      > TERNARY(a == 1, 8, 9) == 8
      ? true
    %@.@count == 2 <== l:1,2
      (= (. %0 @count) 2)
      > {1, 2}.@count == 2
      ? true
    %@.length() == 4 <== s:text
      (= (length: %0) 4)
      > length:("text") == 4
      ? true
    t BEGINSWITH %@ <== s:te
      (beginsWith t %0)
      > t BEGINSWITH "te"
      ? true
    t LIKE %@ <== s:t*t
      (like t %0)
      > t LIKE "t*t"
      ? true
    t MATCHES %@ <== s:t.*
      (matches t %0)
      > t MATCHES "t.*"
      ? true
    t MATCHES %@ <== s:[
      (matches t %0)
      > t MATCHES CAST("[", "NSString")
      ? false
    NOT a == %@ OR b == %@ <== 1 2
      (or (not (= a %0)) (= b %1))
      > NOT a == 1 OR b == 2
      ? true
    list[%d] == 2 <== 1
      (= (index list %0) 2)
      > list[1] == 2
      ? true
    modulus:by:(%@, %@) == 1 <== 7 3
      (= (modulus:by: %0 %1) 1)
      > modulus:by:(7, 3) == 1
      ? true
    -%@ == -1 <== 1
      (= (from:subtract: 0 %0) -1)
      > 0 - 1 == -1
      ? true
    s == '%@'
      (= s '%@')
      > s == "%@"
      ? false
    thread = %@ AND %d <= %K AND %K <= %d <== s:x 1 s:n s:n 9
      (and (= thread %0) (<= %1 n) (<= n %2))
      > thread == "x" AND 1 <= n AND n <= 9
    metadata.visibleInForumList == YES
      (= metadata.visibleInForumList YES)
      > metadata.visibleInForumList == 1
    forum.forumID in %@ <== l:1,2
      (in forum.forumID %0)
      > forum.forumID IN {1, 2}
    lastUsedDate != nil
      (!= lastUsedDate nil)
    author.userID = %@ <== s:9
      (= author.userID %0)
      > author.userID == "9"
    self IN %@ <== l:1,2
      (in SELF %0)
      > SELF IN {1, 2}
    NOT (self IN %@) <== l:1,2
      (not (in SELF %0))
      > NOT SELF IN {1, 2}
    entity == %@ <== s:x
      (= entity %0)
      > entity == "x"
    objectID == %@ <== 4
      (= objectID %0)
      > objectID == 4
    user == %@ AND isDefault == YES <== s:u
      (and (= user %0) (= isDefault YES))
      > user == "u" AND isDefault == 1
    markedForDeletionAsOf < %@ <== d:5
      (< markedForDeletionAsOf %0)
      > markedForDeletionAsOf < 5.0
    """#
}
