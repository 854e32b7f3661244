import ArgumentParser
import JobRunner

extension RunsCommand {
  /// `baton runs cancel`.
  struct Cancel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Cancel runs, whether they wait, run or are dead.",
      discussion: """
        What a run has committed stays, and what was done is not undone. One that runs is ended by its worker, \
        within two seconds; the others of its batch go on. Each of the runs is cancelled for itself.
        """)

    /// How long one that runs is waited for.
    private static let patience = Duration.seconds(10)

    @Argument(help: "The runs' ids.")
    var ids: [Int64]

    @Flag(help: "Wait for the end of those that run, up to 10 s each.")
    var wait = false

    @Flag(help: "One JSON object a line.")
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
          .tryAgain, what: "Run \(run) still runs.", place: "run \(id)",
          next: "It was waited for 10 s. Its worker ends it as soon as its job lets go.")
      case .ended(let run, let state):
        Complaint(
          .noInput, what: "Run \(run) had ended: \(state).", place: "run \(id)",
          next: "What it did stays; `\(Program.name) runs show \(run)` has what is known of it.")
      case .missing: .noRun(id)
      }
    }

    /// What became of one id.
    private struct Line: Encodable {
      /// As it was given.
      let id: Int64
      /// What it is now; nil: there is no such run.
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
