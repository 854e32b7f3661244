package import BatonPostgres
package import Testing

/// Expects that the server refuses a call with the given SQLSTATE.
///
/// Any other error fails the test, because the server might otherwise permit the call.
package func expectSQLState<Result>(
  _ state: SQLState, _ what: String = "", sourceLocation: SourceLocation = #_sourceLocation,
  of body: () async throws -> Result
) async {
  do {
    let result = try await body()
    Issue.record("\(what) was let: \(result)", sourceLocation: sourceLocation)
  } catch let error as PostgresError {
    #expect(error.sqlState == state, "\(what): \(error)", sourceLocation: sourceLocation)
  } catch {
    Issue.record(error, "\(what)", sourceLocation: sourceLocation)
  }
}
