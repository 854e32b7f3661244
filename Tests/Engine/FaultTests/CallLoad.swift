import BatonPostgres
import Foundation
import Synchronization
import TestSupport

/// Clients that execute statements until they are stopped, with a new key for each statement.
final class CallLoad: Sendable {
  private let schema: TestSchema
  private let statements: [Statement]
  private let prefix: String
  private let answered = Mutex<[String]>([])

  /// - Parameters:
  ///   - statements: the statements, which the clients execute in turn. Their parameter is the key.
  ///   - prefix: the start of each key.
  init(_ schema: TestSchema, _ statements: Statement..., prefix: String) {
    self.schema = schema
    self.statements = statements
    self.prefix = prefix
  }

  /// The keys of the calls that the server has acknowledged.
  var acknowledged: [String] { answered.withLock(\.self) }

  /// Calls until `isOver` returns true.
  func call(until isOver: () -> Bool) async throws {
    var connection: Connection?
    var number = 0
    while !isOver() {
      number += 1
      let key = "\(prefix)-\(number)"
      do throws(PostgresError) {
        let open: Connection
        if let connection {
          open = connection
        } else {
          open = try await Connection.open(schema.configuration)
        }
        connection = open
        try await open.atomically(
          in: schema.schema, .run(statements[number % statements.count], key))
        answered.withLock { $0.append(key) }
        try? await Task.sleep(for: .milliseconds(20))
      } catch {
        // A call whose response was lost may have taken effect, so its key is never used again.
        guard error.sqlState.isTransient else { throw error }
        await connection?.close()
        connection = nil
        try? await Task.sleep(for: .milliseconds(100))
      }
    }
    await connection?.close()
  }
}
