import BatonPostgres

extension Transaction {
  /// Changes the claim of the run with this key, as if another worker had claimed the run.
  func loseClaim(_ key: String) async throws {
    try await run(
      .run(
        Statement(
          "test/lose",
          "update run set token = gen_random_uuid(), worker = gen_random_uuid() where key = $1"),
        key))
  }
}
