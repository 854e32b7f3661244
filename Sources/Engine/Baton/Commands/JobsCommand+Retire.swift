import ArgumentParser
import BatonJobs
import JobRunner

extension JobsCommand {
  /// The `baton jobs retire` command.
  struct Retire: AsyncParsableCommand, CheckedArguments {
    static let configuration = CommandConfiguration(
      abstract: "Retire a job that no program needs any more, so that the job gets no new runs.",
      discussion: """
        Its schedules are deleted, its events are discarded, and `enqueue` fails with ZB016. Waiting runs remain \
        unless --cancel-runs is given. An older program that still has the job does not undo the retirement. Afterwards, \
        \(Program.migrate) removes its table triggers.
        """)

    @Argument(help: "The job's name.")
    var job: String

    @Flag(help: "Also cancel the job's waiting, running and dead runs.")
    var cancelRuns = false

    @Flag(
      help:
        "Make a retired job available again; its program stores its schedules at the next start.")
    var undo = false

    @Flag(help: "Print what would be cancelled, and change nothing.")
    var dryRun = false

    func checkArguments() throws {
      guard !undo || !cancelRuns && !dryRun else {
        throw ValidationError("--undo goes with neither --cancel-runs nor --dry-run.")
      }
    }

    func run() async throws {
      try await withQueue { queue in
        if dryRun {
          try await preview(queue)
        } else {
          try await retire(queue)
        }
      }
    }

    private func preview(_ queue: Queue) async throws {
      guard let page = try await queue.jobs().first(where: { $0.isNamed(job) }) else {
        throw Complaint.missingJob(job)
      }
      Console.write(
        "\(job) would be retired, and \(counted(page.schedules.count, "schedule")) deleted")
      var runs = 0
      try await queue.previewCancel(RunSelection(job: job)) { runs += $0.count }
      Console.write(
        cancelRuns
          ? "\(counted(runs, "run")) would be cancelled" : "\(counted(runs, "run")) would stay")
    }

    private func retire(_ queue: Queue) async throws {
      guard let end = try await queue.retire(job, isUndo: undo) else {
        throw Complaint.missingJob(job)
      }
      if undo {
        return Console.write("\(job) is \(end.wasRetired ? "available again" : "not retired")")
      }
      Console.write(
        "\(job) is retired"
          + (end.schedules > 0 ? ", and \(counted(end.schedules, "schedule")) deleted" : ""))
      guard cancelRuns else { return }
      let cancelled = try await RunsCommand.cancel(
        RunSelection(job: job), queue, progress: "jobs retire")
      Console.write(cancelled.summary)
    }
  }
}
