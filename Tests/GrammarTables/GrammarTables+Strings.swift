extension GrammarTables {
  /// Formats of string operators and their options.
  package static let strings = #"""
    s CONTAINS "sum"
      (contains s 'sum')
      ? true
    s CONTAINS 'sum'
      (contains s 'sum')
      > s CONTAINS "sum"
      ? true
    s contains "sum"
      (contains s 'sum')
      > s CONTAINS "sum"
      ? true
    s Contains "SUM"
      (contains s 'SUM')
      > s CONTAINS "SUM"
      ? false
    s CONTAINS[c] "SUM"
      (contains/c s 'SUM')
      ? true
    s CONTAINS [c] "SUM"
      (contains/c s 'SUM')
      > s CONTAINS[c] "SUM"
      ? true
    s CONTAINS[C] "SUM"
      (contains/c s 'SUM')
      > s CONTAINS[c] "SUM"
      ? true
    s CONTAINS[d] "resu"
      (contains/d s 'resu')
      ? false
    s CONTAINS[d] "Resu"
      (contains/d s 'Resu')
      ? true
    s CONTAINS[cd] "RESU"
      (contains/cd s 'RESU')
      ? true
    s CONTAINS[dc] "RESU"
      (contains/cd s 'RESU')
      > s CONTAINS[cd] "RESU"
      ? true
    s CONTAINS[c d] "RESU"
      (contains/cd s 'RESU')
      > s CONTAINS[cd] "RESU"
      ? true
    s CONTAINS[CD] "RESU"
      (contains/cd s 'RESU')
      > s CONTAINS[cd] "RESU"
      ? true
    s CONTAINS[n] "Rés"
      (contains/n s 'Rés')
      ? true
    s CONTAINS[n] "rés"
      (contains/n s 'rés')
      ? false
    s CONTAINS[l] "sum"
      (contains/l s 'sum')
      ? true
    s CONTAINS[cl] "SUM"
      (contains/cl s 'SUM')
      ? true
    s CONTAINS[cdl] "RESU"
      (contains/cdl s 'RESU')
      ? true
    s CONTAINS[ldc] "RESU"
      (contains/cdl s 'RESU')
      > s CONTAINS[cdl] "RESU"
      ? true
    s CONTAINS[cdn] "RESU"
      (contains/cdn s 'RESU')
      ? false
    s CONTAINS[cdnl] "RESU"
      (contains/cdnl s 'RESU')
      ? false
    s CONTAINS[lndc] "Rés"
      (contains/cdnl s 'Rés')
      > s CONTAINS[cdnl] "Rés"
      ? true
    s CONTAINS[] "sum"
      (contains s 'sum')
      > s CONTAINS "sum"
      ? true
    s CONTAINS[cc] "SUM"
      (contains/c s 'SUM')
      > s CONTAINS[c] "SUM"
      ? true
    s CONTAINS ""
      (contains s '')
      ? false
    s CONTAINS nil
      (contains s nil)
      ? false
    missing CONTAINS "x"
      (contains missing 'x')
      ? false
    s BEGINSWITH "R"
      (beginsWith s 'R')
      ? true
    s beginswith "R"
      (beginsWith s 'R')
      > s BEGINSWITH "R"
      ? true
    s BeginsWith "r"
      (beginsWith s 'r')
      > s BEGINSWITH "r"
      ? false
    s BEGINSWITH[c] "r"
      (beginsWith/c s 'r')
      ? true
    s BEGINSWITH[d] "Re"
      (beginsWith/d s 'Re')
      ? true
    s BEGINSWITH[cd] "re"
      (beginsWith/cd s 're')
      ? true
    s BEGINSWITH[n] "Ré"
      (beginsWith/n s 'Ré')
      ? true
    s BEGINSWITH[l] "Ré"
      (beginsWith/l s 'Ré')
      ? true
    s BEGINSWITH[dn] "Re"
      (beginsWith/dn s 'Re')
      ? false
    s BEGINSWITH ""
      (beginsWith s '')
      ? true
    s BEGINSWITH "Résumé!"
      (beginsWith s 'Résumé!')
      ? false
    missing BEGINSWITH "x"
      (beginsWith missing 'x')
      ? false
    s ENDSWITH "é"
      (endsWith s 'é')
      ? true
    s endswith "e"
      (endsWith s 'e')
      > s ENDSWITH "e"
      ? false
    s ENDSWITH[c] "É"
      (endsWith/c s 'É')
      ? true
    s ENDSWITH[d] "e"
      (endsWith/d s 'e')
      ? true
    s ENDSWITH[cd] "E"
      (endsWith/cd s 'E')
      ? true
    s ENDSWITH[n] "mé"
      (endsWith/n s 'mé')
      ? true
    s ENDSWITH[l] "mé"
      (endsWith/l s 'mé')
      ? true
    s ENDSWITH ""
      (endsWith s '')
      ? true
    s LIKE "R*"
      (like s 'R*')
      ? true
    s like "R*é"
      (like s 'R*é')
      > s LIKE "R*é"
      ? true
    s LIKE "R?sum?"
      (like s 'R?sum?')
      ? true
    s LIKE "r*"
      (like s 'r*')
      ? false
    s LIKE[c] "r*"
      (like/c s 'r*')
      ? true
    """#
}
