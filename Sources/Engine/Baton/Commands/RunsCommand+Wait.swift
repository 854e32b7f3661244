import ArgumentParser
import JobRunner

extension RunsCommand {
  /// The `baton runs wait` command.
  struct Wait: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Wait until runs have ended, and print the state and the output of each.",
      discussion: """
        Exits with 1 if a run is dead or cancelled, and with 75 after --timeout. The output is stored only if the job \
        keeps history.
        """)

    @Argument(help: "The runs' ids, or their earlier ids.")
    var ids: [Int64]

    @Option(help: "The maximum wait for all runs: 90s, 15m, 2h30m or 7d.")
    var timeout = "60s"

    @Flag(help: "Print one JSON object per line, as the SQL function run_state returns it.")
    var json = false

    func run() async throws {
      let deadline = try ContinuousClock.now + Duration(text: timeout, place: "--timeout")
      try await withQueue { queue in
        var complaints: [Complaint] = []
        for id in ids {
          let left = max(.zero, ContinuousClock.now.duration(to: deadline))
          guard let run = try await queue.waitForEnd(of: id, atMost: left) else {
            complaints.append(.noRun(id))
            continue
          }
          let complaint = complaint(about: id, run)
          if json || complaint == nil { show(run, of: id) }
          if let complaint { complaints.append(complaint) }
        }
        guard let first = complaints.first else { return }
        for complaint in complaints { Console.complain(complaint.text) }
        throw first.status.code
      }
    }

    private func show(_ run: StateOfRun, of id: Int64) {
      // The run's record existed when the wait began. If the record no longer exists, the run has
      // ended.
      guard !json else {
        return Console.write(run.json ?? #"{"run": \#(id), "state": "ended"}"#)
      }
      let output = run.output.map { "  \($0)" } ?? ""
      Console.write("run \(id) \(run.state ?? "ended")\(output)")
    }

    private func complaint(about id: Int64, _ run: StateOfRun) -> Complaint? {
      switch run.state {
      case "dead":
        Complaint(
          .dead, what: "Run \(id) is dead.", place: "run \(id)",
          next: "`\(Program.name) runs show \(id)` prints the errors of its attempts.")
      case "cancelled":
        Complaint(
          .dead, what: "Run \(id) was cancelled.", place: "run \(id)",
          next: "`\(Program.name) audit list` names the operator, unless an API cancelled the run.")
      case let state? where !run.hasEnded:
        Complaint(
          .tryAgain, what: "Run \(id) is still \(state).", place: "run \(id)",
          next: "Gave up after \(timeout). Wait again, or give a longer --timeout.")
      default: nil
      }
    }
  }
}
