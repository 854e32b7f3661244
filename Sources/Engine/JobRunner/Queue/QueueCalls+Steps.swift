import BatonJobs
import BatonPostgres
import RunnerSQL

/// The stored result of an effect's step.
struct StoredStep: Sendable {
  let name: String
  /// The result as JSON.
  let result: String
}

extension QueueCalls {
  /// Reads the stored steps of the claim's only run.
  ///
  /// If another worker has claimed the run, the call fails.
  static func readSteps(of claim: Claim) -> Call<[StoredStep?]> {
    .rows(
      SQL.Queue.readSteps, claim.job.definition.name, claim.runs[0].key, claim.token,
      claim.runs[0].id
    ) { (row) throws(PostgresError) in
      let (name, result) = try row.decode(String?.self, String?.self)
      guard let name, let result else { return nil }
      return StoredStep(name: name, result: result)
    }
  }

  /// Stores the result of a step in the claim's only run.
  static func saveStep(_ name: String, _ result: String, of claim: Claim) -> Call<Int> {
    .count(
      SQL.Queue.saveStep, claim.job.definition.name, claim.runs[0].key, claim.token,
      claim.runs[0].id, name, result)
  }

  /// Stores that a step in the claim's only run is waiting for an event, and searches for that
  /// event.
  ///
  /// If the event was dispatched, or the timeout has passed, the call also stores the step's
  /// result.
  static func search(for event: AwaitedEvent, of claim: Claim) -> Call<AwaitedEvent.Outcome> {
    .row(
      SQL.Queue.awaitEvent, claim.job.definition.name, claim.runs[0].key, claim.token,
      claim.runs[0].id, event.step, event.topic, event.key, event.timeout.milliseconds
    ) { (row) throws(PostgresError) in
      let (result, left, until, topic, key) = try row.decode(
        String?.self, Int64?.self, String?.self, String?.self, String?.self)
      if let result { return .decided(result) }
      guard let left, let until else { return .changed(topic: topic ?? "", key: key ?? "") }
      return .waiting(left: .milliseconds(left), until: until)
    }
  }

  /// Activates the stored waits of the given steps in the claim's only run.
  ///
  /// Events can wake a run only while its waits are active. The attempt must release the run before
  /// this call.
  static func parkWaits(_ steps: [String], of claim: Claim) -> Call<Void> {
    .run(
      SQL.Queue.parkWaits, claim.job.definition.name, claim.runs[0].key, claim.runs[0].id, steps)
  }
}
