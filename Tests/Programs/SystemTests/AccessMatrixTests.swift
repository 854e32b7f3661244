import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests every table and every function with every identity.
///
/// The permitted operations are in one file next to the code.
@Suite(.timeLimit(.minutes(5))) struct AccessMatrixTests {
  private static let file = Checkout.root.appending(path: "Tests/Golden/access.txt")

  private static let header = """
    Generated; do not edit. Renew it with: BATON_GOLDEN=write Tests/run --filter AccessMatrixTests
    What each identity can do with each table and function: the rows it comes to, or ! where it is let in and
    something else ends it. What is not here is refused. AccessMatrix.swift says who is who.

    """

  @Test func `each identity can do what Tests/Golden/access.txt says, and nothing else`()
    async throws
  {
    let matrix = try await AccessMatrix.make()
    let tables = try await matrix.tries(ofTables: ".*")
    let functions = try await matrix.tries(ofFunctions: ".")
    // Each cell has a positive control: an identity with all rights is not refused.
    for tries in [tables, functions] {
      let controls = try await matrix.outcomes(tries, of: "postgres")
      let refused = zip(tries, controls).filter { $0.1 == "-" }.map(\.0.what)
      #expect(refused == [])
    }
    let own = TestSchema.parts.flatMap(\.migrations).map(\.text).joined()
    let lines =
      try await matrix.lines(tables) { own.contains("create table \($0) (") } + [""]
      + matrix.lines(functions)
    let cells = (tables.count + functions.count) * AccessMatrix.names.count
    let present =
      Self.header + "\(cells) cells were tried.\n\n" + lines.joined(separator: "\n") + "\n"
    guard ProcessInfo.processInfo.environment["BATON_GOLDEN"] != "write" else {
      try present.write(to: Self.file, atomically: true, encoding: .utf8)
      return
    }
    #expect(cells > 10_000)
    let golden = try String(contentsOf: Self.file, encoding: .utf8)
    let (was, now) = (golden.split(separator: "\n"), present.split(separator: "\n"))
    let difference = now.difference(from: was)
    #expect(difference.isEmpty, "\(difference)")
  }
}
