/// The tables that every store has beside those of its entities.
enum StoreTables {
  /// The statements that make them.
  static func creation(_ dialect: PostgresDialect) -> [String] {
    [
      table("Z_PRIMARYKEY", "z_ent bigint PRIMARY KEY, z_name text, z_super bigint, z_max bigint"),
      table("Z_METADATA", "z_version bigint PRIMARY KEY, z_uuid text, z_plist bytea"),
      // One row: a lock, and what was purged of the history.
      table(
        "Z_STORE",
        "z_id bigint PRIMARY KEY, z_history bigint, z_purged bigint, z_purgedchange bigint"),
      table("Z_CONSUMER", "z_name text PRIMARY KEY, z_transaction bigint"),
      table(
        "ATRANSACTION",
        """
        z_pk bigint PRIMARY KEY, zcommit uuid, zprocess uuid, ztimestamp double precision, zauthor text, \
        zbundleid text, zcontextname text, zprocessid text
        """),
      table(
        "ACHANGE",
        """
        ztransactionid bigint, z_pk bigint, zchangetype bigint, zentity bigint, zentitypk bigint, \
        zcolumns bytea, ztombstone bytea, PRIMARY KEY (ztransactionid, z_pk)
        """),
    ].map { $0(dialect) } + [
      "INSERT INTO \(dialect.table("Z_STORE")) VALUES (1, 0, 0, 0)",
      "CREATE INDEX atransaction_ztimestamp_index ON \(dialect.table("ATRANSACTION")) (ztimestamp)",
      "CREATE INDEX achange_z_pk_index ON \(dialect.table("ACHANGE")) (z_pk)",
    ]
  }

  private static func table(_ name: String, _ columns: String) -> (PostgresDialect) -> String {
    { "CREATE TABLE \($0.table(name)) (\(columns))" }
  }
}
