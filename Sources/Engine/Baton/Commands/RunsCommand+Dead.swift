import ArgumentParser
import BatonJobs
import BatonPostgres
import JobRunner

extension RunsCommand {
  /// The `baton runs retry` command.
  struct Retry: AsyncParsableCommand, CheckedArguments {
    static let configuration = CommandConfiguration(
      abstract: "Make dead runs ready again, with all their attempts.",
      discussion: """
        A run keeps its id. If a run with the same key is already waiting, the two are merged; \
        `\(Program.name) runs show` finds the result by both ids. With ids, either all named runs are retried or none. \
        A run with stored steps continues after its last step, and only if no other run of its key has begun. \
        With --payload, the run gets a new id, and starts again with its first step.
        """)

    @OptionGroup var selected: SelectedRuns

    @Option(help: "Another payload for one dead run, as JSON.")
    var payload: String?

    @Flag(help: "Print the dead runs without changing them.")
    var dryRun = false

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func checkArguments() throws {
      try selected.check()
      guard payload == nil || selected.ids.count == 1 else {
        throw ValidationError("--payload goes with one id.")
      }
    }

    func run() async throws {
      try await withQueue { queue in
        try await queue.requireJob(selected.job)
        guard !dryRun else { return try await preview(queue) }
        if let payload {
          return try await RunsCommand.namingDeadRuns(queue, none: "Nothing was retried. ") {
            try await retry(selected.ids[0], payload: payload, queue)
          }
        }
        if let filter = selected.filter {
          try await retry(DeadSelection(filter), queue)
        } else {
          try await RunsCommand.namingDeadRuns(queue, none: "Nothing was retried. ") {
            for run in try await queue.retry(ids: selected.ids) { try tell(run) }
          }
        }
      }
    }

    /// Prints the selected dead runs, or throws an error if a run with a given id cannot be
    /// retried.
    private func preview(_ queue: Queue) async throws {
      if let filter = selected.filter { return try await preview(DeadSelection(filter), queue) }
      try await RunsCommand.namingDeadRuns(queue, none: "Nothing was retried. ") {
        try await checkingPayload(queue) {
          try await queue.previewRetry(ids: selected.ids, payload: payload)
        }
      }
      try await RunsCommand.preview(selected, json: json, queue, "would be ready again")
    }

    /// Prints the dead runs in a selection that the command would retry.
    private func preview(_ selection: DeadSelection, _ queue: Queue) async throws {
      var preview = RetryPreview()
      var (ready, taken) = (0, 0)
      try await RunsCommand.inPieces { last in
        let dead = try await queue.deadRuns(selection, after: last)
        guard let end = dead.last else { return nil }
        let runs = try await preview.add(dead, of: queue)
        for run in runs { Console.write(json ? try jsonLine(run) : run.line) }
        (ready, taken) = (ready + runs.count, taken + dead.count - runs.count)
        return end.id
      }
      guard !json else { return }
      Console.write("\(counted(ready, "dead run")) would be ready again")
      if taken > 0 {
        Console.write(
          "\(counted(taken, "run")) with stored steps would stay dead: another run of the key has begun"
        )
      }
    }

    private func retry(_ id: Int64, payload: String, _ queue: Queue) async throws {
      let run = try await checkingPayload(queue) { try await queue.retry(id, payload: payload) }
      guard !json else { return Console.write(try jsonLine(Line(run: run.id, dead: run.dead))) }
      Console.write("run \(id) is ready again as run \(run.id), with the given payload")
    }

    /// Executes the body.
    ///
    /// If a new payload is given, the job decodes the payload before any run is retried.
    private func checkingPayload<R>(
      _ queue: Queue, _ body: () async throws -> R
    ) async throws -> R {
      do {
        // The command checks the payload only if this binary defines the job.
        if let payload, let dead = try await queue.deadRuns(ids: selected.ids).first,
          let own = Program.jobs.first(where: { $0.definition.isNamed(dead.job) })
        {
          try await queue.check(own, key: dead.key, payload: payload)
        }
        return try await body()
      } catch let error as PostgresError where payload != nil && error.sqlState.failure == .value {
        throw Complaint.payload(
          "Nothing was retried. Give a JSON value, for example '{\"n\": 1}'.")
      }
    }

    private func retry(_ selection: DeadSelection, _ queue: Queue) async throws {
      let progress = ProgressLine(of: "runs retry")
      var (dead, ready, taken) = (0, 0, 0)
      try await RunsCommand.inPieces { last in
        let piece = try await queue.retry(selection, after: last)
        guard let end = piece.dead.last else { return nil }
        if json { for run in piece.ready { try tell(run) } }
        (ready, taken) = (ready + piece.ready.count, taken + piece.taken.count)
        dead += piece.dead.count - piece.taken.count
        progress.show(["runs retried": dead])
        return end.id
      }
      progress.end()
      guard !json else { return }
      Console.write("\(counted(dead, "dead run")) became \(counted(ready, "ready run"))")
      if taken > 0 {
        Console.write(
          "\(counted(taken, "run")) with stored steps not retried: another run of the key has begun"
        )
      }
    }

    /// Prints a retried run.
    private func tell(_ run: RetriedRun) throws {
      if json { return Console.write(try jsonLine(Line(run: run.id, dead: run.dead))) }
      let merged = selected.ids.filter { $0 != run.id }
      if selected.ids.contains(run.id) {
        Console.write("run \(run.id) is ready again")
      } else if let id = merged.first, merged.count == 1 {
        Console.write("run \(id) was merged into run \(run.id), which waited with the same key")
      } else {
        Console.write(
          "\(counted(run.dead, "dead run")) was merged into run \(run.id), which waited with the same key"
        )
      }
    }

    private struct Line: Encodable {
      /// The id of the run that is ready after the retry.
      let run: Int64
      /// The number of dead runs that this retry merged into one ready run.
      let dead: Int
    }
  }

  /// The `baton runs discard` command.
  struct Discard: AsyncParsableCommand, CheckedArguments {
    static let configuration = CommandConfiguration(
      abstract: "Delete dead runs, so that they are never executed again.",
      discussion: """
        With ids, either all named runs are deleted or none. For runs that are not dead, see `cancel`.
        """)

    @OptionGroup var selected: SelectedRuns

    @Flag(help: "Print the runs without deleting them.")
    var dryRun = false

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func checkArguments() throws { try selected.check() }

    func run() async throws {
      try await withQueue { queue in
        try await queue.requireJob(selected.job)
        guard !dryRun else {
          return try await RunsCommand.preview(selected, json: json, queue, "would be discarded")
        }
        let count: Int
        if let filter = selected.filter {
          count = try await discard(DeadSelection(filter), queue)
        } else {
          count = try await RunsCommand.namingDeadRuns(queue, none: "Nothing was discarded. ") {
            let runs = try await queue.discard(ids: selected.ids)
            if json { for run in runs { Console.write(try jsonLine(run)) } }
            return runs.count
          }
        }
        if !json { Console.write("\(counted(count, "dead run")) discarded") }
      }
    }

    private func discard(_ selection: DeadSelection, _ queue: Queue) async throws -> Int {
      let progress = ProgressLine(of: "runs discard")
      var count = 0
      try await RunsCommand.inPieces { last in
        let piece = try await queue.discard(selection, after: last)
        guard let end = piece.dead.last else { return nil }
        if json { for run in piece.dead { Console.write(try jsonLine(run)) } }
        count += piece.dead.count
        progress.show(["runs discarded": count])
        return end.id
      }
      progress.end()
      return count
    }
  }

  /// Prints the selected dead runs.
  ///
  /// - Parameter would: the end of the summary, such as "would be ready again".
  fileprivate static func preview(
    _ selected: SelectedRuns, json: Bool, _ queue: Queue, _ would: String
  ) async throws {
    var count = 0
    func tell(_ runs: [ListedRun]) throws {
      for run in runs { Console.write(json ? try jsonLine(run) : run.line) }
      count += runs.count
    }
    if let filter = selected.filter {
      try await inPieces { last in
        let runs = try await queue.deadRuns(DeadSelection(filter), after: last)
        try tell(runs)
        return runs.last?.id
      }
    } else {
      try await namingDeadRuns(queue) { try tell(try await queue.deadRuns(ids: selected.ids)) }
    }
    if !json { Console.write("\(counted(count, "dead run")) \(would)") }
  }

  /// Processes a long list of runs in pieces, one piece after another.
  ///
  /// - Parameter piece: processes the piece that starts after the given id. The closure returns the
  ///   last id of the piece, or nil if no piece is left. For the first piece, the given id is nil.
  fileprivate static func inPieces(_ piece: (Int64?) async throws -> Int64?) async throws {
    var last: Int64?
    repeat { last = try await piece(last) } while last != nil
  }

  /// Runs `body`, and converts ``NotDead`` and ``KeyIsTaken`` errors to error messages for the
  /// user.
  fileprivate static func namingDeadRuns<R>(
    _ queue: Queue, none: String = "", _ body: () async throws -> R
  ) async throws -> R {
    do {
      return try await body()
    } catch let error as NotDead {
      let id = error.ids[0]
      throw Complaint.noRun(id, what: try await queue.reasonNotDead(id), none: none)
    } catch let error as KeyIsTaken {
      throw Complaint.isTaken(error)
    }
  }
}

extension Complaint {
  /// The message for a dead run that cannot be retried before another run with its key ends.
  package static func isTaken(_ error: KeyIsTaken) -> Complaint {
    let id = error.ids.first ?? 0
    return Complaint(
      .tryAgain, what: "Run \(id) has stored steps, and another run of its key has begun.",
      place: "run \(id)",
      next: "Nothing was retried. Retry the run after the other run has ended.")
  }
}
