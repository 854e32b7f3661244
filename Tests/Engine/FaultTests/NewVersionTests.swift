import BatonPostgres
import Foundation
import RunnerSQL
import Synchronization
import TestSupport
import Testing

@testable import JobRunner

/// A new set of functions, views and triggers is applied while an older worker and the API
/// continue.
@Suite(.timeLimit(.minutes(5)))
struct NewVersionTests {
  /// Returns the parts of a program.
  ///
  /// The text of every function, view and trigger contains the number.
  private func parts(ofSet number: Int) -> [SchemaPart] {
    ([SQL.runner] + TestSchema.parts).map { part in
      SchemaPart(
        part.name, version: part.version + number, migrations: part.migrations,
        objects: part.objects.map { object in
          SchemaObject(
            object.kind, object.name, table: object.table,
            Statement(object.statement.name, object.statement.text + "\n-- \(number)"))
        })
    }
  }

  @Test(.sampled())
  func `no call fails while every function, view and trigger is replaced`() async throws {
    try await TestSchema.with { schema in
      let random = Randomness()
      let load = WorkoutLoad(schema: schema)
      try await load.join()
      let worker = try schema.gymrats.start("worker")
      defer { worker.signal(SIGKILL) }
      let isOver = Flag()
      let workouts = try await withThrowingTaskGroup(of: Int.self) { group in
        for writer in 0..<4 {
          group.addTask { try await write("w\(writer)", load, random) { isOver.isSet } }
        }
        group.addTask {
          defer { isOver.set() }
          let connection = try await schema.connect()
          for number in 1...3 {
            let parts = parts(ofSet: number)
            let outcome = try await Migrator(schema.schema, allParts: parts).migrate(connection)
            #expect(outcome.objects.count == parts.flatMap(\.objects).count)
            try await Task.sleep(for: .milliseconds(300))
          }
          await connection.close()
          return 0
        }
        return try await group.reduce(0, +)
      }
      print("\(workouts) workouts beside three sets, \(random)")
      #expect(workouts > 50)
      worker.signal(SIGTERM)
      let ended = try await worker.wait(within: .seconds(30))
      #expect(ended.status == 0, "\(ended.errors)")
      // If the machine stops between two views, a poll or a claim may yield instead of the
      // migrator, and is repeated. This happens at most once per set for a poll, and once per set
      // and executor for a claim. No run is lost. The signal may stop a job between two of its
      // steps, which causes another warning.
      let warnings = ended.errors.split(separator: "\n").filter {
        $0.contains("warning") && !$0.contains("the worker stopped between two steps")
      }
      let polls = warnings.filter { $0.contains("40P01") && $0.contains("trying again") }
      let claims = warnings.filter { $0.contains("55P03") && $0.contains("cannot claim") }
      #expect(polls.count + claims.count == warnings.count, "\(warnings)")
      #expect(polls.count <= 3 && claims.count <= 6, "\(warnings)")
      // The older program continues with the objects of the newer program.
      try await schema.gymrats.succeed("worker", "--until-idle")
      try await load.expectBoards(of: workouts)
    }
  }

  /// Records workouts, with one attempt for each call.
  ///
  /// Any failure fails the test.
  private func write(
    _ name: String, _ load: WorkoutLoad, _ random: Randomness, until isOver: () -> Bool
  ) async throws -> Int {
    let record = Statement("test/record", "select outcome::text from record_workout($1, $2)")
    let connection = try await load.schema.connect()
    var count = 0
    while !isOver() {
      let user =
        "u\(random.number(in: 1...load.groups))-\(random.number(in: 1...load.membersPerGroup))"
      let outcome = try await connection.atomically(
        in: load.schema.schema,
        Call.row(record, user, "\(name)-\(count)") { (row) throws(PostgresError) in
          try row.decode(String.self)
        })
      #expect(outcome == "accepted")
      count += 1
    }
    await connection.close()
    return count
  }
}
