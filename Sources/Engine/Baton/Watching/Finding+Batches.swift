import BatonPostgres
import JobRunner

extension Finding {
  /// Returns the finding for a batch that cannot end without manual action.
  static func stuckBatch(_ batch: StuckBatch, in schema: Schema) -> Finding {
    let literal = "'\(batch.name.replacing("'", with: "''"))'"
    let place = "batch \(batch.name)"
    switch batch.reason {
    case .blocked:
      let job = batch.job ?? ""
      return Finding(
        .warning,
        "All members of the batch \(batch.name) have ended, but its job \(job) is missing or retired.",
        at: place,
        next: "Run `\(Program.name) jobs retire \(job) --undo`, or deploy a program with this job. "
          + "To end the batch without a run of its job, run `\(Program.name) batches cancel NAME`.")
    case .unsealed:
      return Finding(
        .warning,
        "The batch \(batch.name) is not sealed, and nothing has changed in the batch for a day.",
        at: place,
        next: "If the batch is complete, run in SQL: select \(schema).seal_batch(\(literal)). "
          + "Otherwise, run `\(Program.name) batches cancel NAME`.")
    case .locked:
      return Finding(
        .warning, "The batch \(batch.name) does not end, although it waits for no member.",
        at: place,
        next: "End the old transaction that adds members to the batch; pg_stat_activity lists the "
          + "transactions. If `\(Program.name) status` shows no worker, start a worker.")
    }
  }
}
