import ArgumentParser
import BatonJobs
import JobRunner

extension RunsCommand {
  /// Cancels all runs in a selection, and shows the progress.
  ///
  /// - Parameter tell: called for each group of cancelled runs. The second argument of the closure
  ///   is true if the runs are still running.
  /// - Returns: a readable summary, and the ids of the cancelled runs that are still running.
  static func cancel(
    _ selection: RunSelection, _ queue: Queue, progress title: String,
    tell: (_ runs: [ListedRun], _ areRunning: Bool) throws -> Void = { _, _ in }
  ) async throws -> (summary: String, running: [Int64]) {
    let progress = ProgressLine(of: title)
    var (cancelled, running) = (0, [Int64]())
    try await queue.cancel(selection) { runs, areRunning in
      if areRunning { running += runs.map(\.id) } else { cancelled += runs.count }
      progress.show(["runs cancelled": cancelled])
      try tell(runs, areRunning)
    }
    progress.end()
    let rest =
      running.isEmpty ? "" : ", \(counted(running.count, "running run")) being cancelled"
    return ("\(counted(cancelled, "run")) cancelled\(rest)", running)
  }

  /// The `baton runs cancel` command.
  struct Cancel: AsyncParsableCommand, CheckedArguments {
    static let configuration = CommandConfiguration(
      abstract: "Cancel waiting, running or dead runs.",
      discussion: """
        A run's committed writes are kept. The worker ends a running run within two seconds; the other runs \
        of its batch continue. With ids, each run is cancelled in a separate transaction. Without ids, up to \
        1,000 runs share a transaction, and runs that are enqueued in the meantime may remain.
        """)

    /// The maximum time that the command waits for cancelled runs to stop.
    private static let patience = Duration.seconds(10)

    @OptionGroup var selected: SelectedRuns

    @Flag(help: "Print the runs without cancelling them.")
    var dryRun = false

    @Flag(help: "Wait until running runs have ended, up to 10 s for all runs.")
    var wait = false

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func checkArguments() throws {
      try selected.check()
      guard !dryRun || selected.ids.isEmpty else {
        throw ValidationError("--dry-run goes with --all, --job or --key-prefix.")
      }
    }

    func run() async throws {
      try await withQueue { queue in
        try await queue.requireJob(selected.job)
        guard let filter = selected.filter else { return try await cancel(selected.ids, queue) }
        try await dryRun ? preview(filter, queue) : cancel(filter, queue)
      }
    }

    private func cancel(_ ids: [Int64], _ queue: Queue) async throws {
      var ends: [(id: Int64, end: Cancellation)] = []
      for id in ids {
        let end: Cancellation
        do {
          end = try await queue.cancel(id)
        } catch {
          // The cancellations of the other runs were requested, so the command prints them.
          for (id, end) in ends { if case .cancelling = end, wait { try show(id, end) } }
          throw error
        }
        ends.append((id, end))
        if wait, case .cancelling = end { continue }
        try show(id, end)
      }
      // The command waits only after it has requested all cancellations, so that a run that does
      // not stop does not delay the cancellation of the next run.
      let deadline = ContinuousClock.now + Self.patience
      for (index, (id, end)) in ends.enumerated() {
        guard wait, case .cancelling(let run) = end else { continue }
        ends[index].end = try await self.end(of: id, run, by: deadline, queue)
        try show(id, ends[index].end)
      }
      let complaints = ends.compactMap { complaint(about: $0.id, $0.end) }
      guard let first = complaints.first else { return }
      for complaint in complaints { Console.complain(complaint.text) }
      throw first.status.code
    }

    private func cancel(_ filter: RunSelection, _ queue: Queue) async throws {
      let (summary, running) = try await RunsCommand.cancel(
        filter, queue, progress: "runs cancel"
      ) { runs, areRunning in
        guard json else { return }
        for run in runs {
          let end = areRunning ? Cancellation.cancelling(run.id) : .cancelled(run.id)
          Console.write(try jsonLine(Line(run.id, end)))
        }
      }
      if !json { Console.write(summary) }
      if wait { try await waitForEnd(of: running, queue) }
    }

    /// Prints the result of cancelling one run, unless the result is printed as an error.
    private func show(_ id: Int64, _ end: Cancellation) throws {
      if json {
        Console.write(try jsonLine(Line(id, end)))
      } else if complaint(about: id, end) == nil {
        Console.write(Line(id, end).text)
      }
    }

    /// Waits until the cancelled runs have stopped.
    private func waitForEnd(of running: [Int64], _ queue: Queue) async throws {
      let deadline = ContinuousClock.now + Self.patience
      for id in running {
        let end = try await end(of: id, id, by: deadline, queue)
        guard case .cancelling = end, let complaint = complaint(about: id, end) else { continue }
        throw complaint
      }
    }

    /// Waits until a run whose cancellation was requested has stopped, or until the deadline.
    private func end(
      of id: Int64, _ run: Int64, by deadline: ContinuousClock.Instant, _ queue: Queue
    ) async throws -> Cancellation {
      let left = max(.zero, ContinuousClock.now.duration(to: deadline))
      let end = try await queue.cancel(id, patience: left)
      // If the run has ended in the meantime and its job keeps no history, no record is left.
      return end == .missing ? .ended(run, "ended") : end
    }

    private func preview(_ filter: RunSelection, _ queue: Queue) async throws {
      var count = 0
      try await queue.previewCancel(filter) { runs in
        for run in runs { Console.write(json ? try jsonLine(run) : run.line) }
        count += runs.count
      }
      if !json { Console.write("\(counted(count, "run")) would be cancelled") }
    }

    private func complaint(about id: Int64, _ end: Cancellation) -> Complaint? {
      switch end {
      case .cancelled: nil
      case .cancelling where !wait: nil
      case .cancelling(let run):
        Complaint(
          .tryAgain, what: "Run \(run) is still running.", place: "run \(id)",
          next: "Gave up after 10 s. Its worker ends the run as soon as the job's code returns.")
      case .ended(let run, let state):
        Complaint(
          .noInput, what: "Run \(run) had ended: \(state).", place: "run \(id)",
          next: "Committed writes are kept; `\(Program.name) runs show \(run)` prints its history.")
      case .missing: .noRun(id)
      }
    }

    /// The result of cancelling one run.
    private struct Line: Encodable {
      /// The id that the user typed.
      let id: Int64
      /// The run's current id, or nil if no run has the given id.
      let run: Int64?
      let result: String

      init(_ id: Int64, _ end: Cancellation) {
        self.id = id
        (run, result) =
          switch end {
          case .cancelled(let run): (run, "cancelled")
          case .cancelling(let run): (run, "cancelling")
          case .ended(let run, let state): (run, state)
          case .missing: (nil, "missing")
          }
      }

      var text: String {
        let name = run.map { $0 == id ? "run \(id)" : "run \($0), which \(id) is part of," } ?? ""
        return "\(name) is \(result == "cancelling" ? "being cancelled" : result)"
      }
    }
  }
}
