extension GrammarTables {
  /// Formats of string operators and their options.
  package static let stringsMore = #"""
    s LIKE[d] "Resume"
      (like/d s 'Resume')
      ? true
    s LIKE[cd] "RES*"
      (like/cd s 'RES*')
      ? true
    s LIKE[cd] "??????"
      (like/cd s '??????')
      ? true
    s LIKE[n] "R*"
      (like/n s 'R*')
      ? true
    s LIKE "*"
      (like s '*')
      ? true
    s LIKE ""
      (like s '')
      ? false
    t LIKE "t\\*t"
      (like t 't\*t')
      ? false
    t LIKE "t?xt"
      (like t 't?xt')
      ? true
    t LIKE "*ex*"
      (like t '*ex*')
      ? true
    t LIKE "*x"
      (like t '*x')
      ? false
    'a*b' LIKE 'a\\*b'
      (like 'a*b' 'a\*b')
      > "a*b" LIKE "a\\*b"
      ? true
    'axb' LIKE 'a\\*b'
      (like 'axb' 'a\*b')
      > "axb" LIKE "a\\*b"
      ? false
    'a?b' LIKE 'a\\?b'
      (like 'a?b' 'a\?b')
      > "a?b" LIKE "a\\?b"
      ? true
    missing LIKE "*"
      (like missing '*')
      ? false
    t MATCHES "t.*t"
      (matches t 't.*t')
      ? true
    t matches "[a-z]+"
      (matches t '[a-z]+')
      > t MATCHES "[a-z]+"
      ? true
    t MATCHES "ex"
      (matches t 'ex')
      ? false
    t MATCHES ".*ex.*"
      (matches t '.*ex.*')
      ? true
    t MATCHES "T.*"
      (matches t 'T.*')
      ? false
    t MATCHES[c] "T.*"
      (matches/c t 'T.*')
      ? true
    s MATCHES[d] "Resume"
      (matches/d s 'Resume')
      ? true
    s MATCHES[cd] "RES.*"
      (matches/cd s 'RES.*')
      ? true
    s MATCHES "\\p{L}+"
      (matches s '\p{L}+')
      ? true
    s MATCHES "R\\u00e9sum."
      (matches s 'R\u00e9sum.')
      ? true
    t MATCHES "text|x"
      (matches t 'text|x')
      ? true
    t MATCHES "x|text"
      (matches t 'x|text')
      ? true
    t MATCHES ""
      (matches t '')
      ? false
    t MATCHES "^text$"
      (matches t '^text$')
      ? true
    t MATCHES "(?i)TEXT"
      (matches t '(?i)TEXT')
      ? true
    t MATCHES "(?x) te xt # comment"
      (matches t '(?x) te xt # comment')
      ? true
    missing MATCHES ".*"
      (matches missing '.*')
      ? false
    t ==[c] "TEXT"
      (=/c t 'TEXT')
      ? true
    t ==[d] "téxt"
      (=/d t 'téxt')
      ? true
    t ==[cd] "TÉXT"
      (=/cd t 'TÉXT')
      ? true
    t ==[n] "text"
      (=/n t 'text')
      ? true
    t !=[c] "TEXT"
      (!=/c t 'TEXT')
      ? false
    t <[c] "U"
      (</c t 'U')
      ? true
    t <[c] "A"
      (</c t 'A')
      ? false
    t >[cd] "S"
      (>/cd t 'S')
      ? true
    t <=[c] "TEXT"
      (<=/c t 'TEXT')
      ? true
    t >=[d] "text"
      (>=/d t 'text')
      ? true
    t BETWEEN[c] {"A", "Z"}
      (between/c t {'A' 'Z'})
      ? true
    t IN[c] {"TEXT"}
      (in/c t {'TEXT'})
      ? true
    t IN[cd] {"TÉXT", "x"}
      (in/cd t {'TÉXT' 'x'})
      ? true
    ANY words BEGINSWITH[c] "t"
      (any beginsWith/c words 't')
      ? true
    ALL words LIKE "*"
      (all like words '*')
      ? true
    NONE words ENDSWITH "x"
      (not (any endsWith words 'x'))
      > NOT ANY words ENDSWITH "x"
      ? true
    日本 CONTAINS "京"
      (contains 日本 '京')
      ? true
    größe > 5
      (> größe 5)
      ? true
    "größe" CONTAINS[cd] "GROSSE"
      (contains/cd 'größe' 'GROSSE')
      ? true
    "größe" CONTAINS[cd] "GRO"
      (contains/cd 'größe' 'GRO')
      ? true
    "ΣΊΣΥΦΟΣ" ==[cd] "σισυφος"
      (=/cd 'ΣΊΣΥΦΟΣ' 'σισυφος')
      ? true
    """#
}
