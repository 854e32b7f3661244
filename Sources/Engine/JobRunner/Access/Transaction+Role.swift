import BatonPostgres
import RunnerSQL

extension Transaction {
  /// Runs `body` as the role of the given kind.
  ///
  /// If `kind` is nil or the schema has no roles, `body` runs as the transaction's current role.
  /// After an error in `body`, the role is not restored: the transaction can only be rolled back.
  func acting<R>(as kind: String?, _ body: () async throws -> R) async throws -> R {
    guard let kind else { return try await body() }
    let enter = Call<String>.row(SQL.Work.enterRole, kind) { (row) throws(PostgresError) in
      try row.decode(String.self, String.self).0
    }
    let before = try await run(enter)
    let result = try await body()
    try await run(.run(SQL.Work.leaveRole, before))
    return result
  }
}
