package import BatonPostgres

extension ConnectionConfiguration {
  /// Returns connection settings for the same database, through a proxy or a pooler in front of the
  /// tests' server.
  package func through(_ address: String) -> ConnectionConfiguration {
    ConnectionConfiguration(
      address: TestDatabase.address(address, of: database), applicationName: applicationName)
  }
}
