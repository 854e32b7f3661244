import ArgumentParser
import JobRunner

extension RunsCommand {
  /// The command `baton runs cancel`.
  struct Cancel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Cancel waiting, running or dead runs.",
      discussion: """
        A run's committed writes are kept. The worker ends a running run within two seconds; the other runs \
        of its batch continue. Each run is cancelled in a transaction of its own.
        """)

    /// How long the command waits until a cancelled run has stopped.
    private static let patience = Duration.seconds(10)

    @Argument(help: "The runs' ids.")
    var ids: [Int64]

    @Flag(help: "Wait until running runs have ended, up to 10 s each.")
    var wait = false

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func run() async throws {
      try await withQueue { queue in
        var complaints: [Complaint] = []
        for id in ids {
          let end = try await queue.cancel(id, patience: wait ? Self.patience : nil)
          let line = Line(id, end)
          if json { Console.write(try jsonLine(line)) }
          if let complaint = complaint(about: id, end) {
            complaints.append(complaint)
          } else if !json {
            Console.write(line.text)
          }
        }
        guard let first = complaints.first else { return }
        for complaint in complaints { Console.complain(complaint.text) }
        throw first.status.code
      }
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

    /// The result for one run id.
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
