package import BatonPostgres

extension ConnectionConfiguration {
  /// The same database of the tests' server, reached through what stands before it.
  package func through(_ address: String) -> ConnectionConfiguration {
    ConnectionConfiguration(
      address: TestDatabase.address(address, of: database), applicationName: applicationName)
  }
}
