import OpenStoreContract

/// The schema of a database that contains a store, or can contain one.
struct PostgresPlace {
  let configuration: StoreConfiguration
  let settings: PostgresSettings
  let dialect: PostgresDialect

  /// Reads the place from the URL of a configuration.
  ///
  /// - Throws: The errors of ``PostgresSettings/init(_:environment:)``.
  init(_ configuration: StoreConfiguration) throws(StoreError) {
    self.configuration = configuration
    settings = try PostgresSettings(configuration.url)
    dialect = PostgresDialect(schema: settings.schema)
  }

  /// Opens a connection outside a pool.
  func connect() throws(StoreError) -> PostgresSession {
    PostgresSession(try PostgresConnection(settings, configuration), dialect)
  }
}
