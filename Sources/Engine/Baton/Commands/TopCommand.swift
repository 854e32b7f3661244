import ArgumentParser
import BatonPostgres
import Foundation
import JobRunner

/// The `baton top` command, which shows the queue continuously.
struct TopCommand: AsyncParsableCommand, CheckedArguments {
  static let configuration = CommandConfiguration(
    commandName: "top",
    abstract: "Watch the queue live on one screen; prints lines if stdout is not a terminal.",
    discussion: """
      Press q or Ctrl-C to exit. If the server becomes unreachable, the command waits. Rates cover the last ten seconds.
      """)

  @Option(help: "The seconds between two updates.")
  var interval = 1.0

  @Option(help: "End after this many updates.")
  var count: Int?

  @OptionGroup(title: "Thresholds") var thresholds: StatusThresholds

  func checkArguments() throws {
    guard (0.1...3_600).contains(interval) else {
      throw ValidationError("--interval takes seconds from 0.1 to 3600.")
    }
    guard count ?? 1 > 0 else { throw ValidationError("--count takes a number from 1 up.") }
  }

  func run() async throws {
    let database = try await Database.orExit().acting(as: "dashboard", isRequired: false)
    let isLive = TerminalScreen.isThere
    let screen = TerminalScreen()
    try await database.reportingErrors() {
      let events = await TopEvents(
        database, each: .milliseconds(Int64(interval * 1_000)),
        readsKeys: isLive && isatty(STDIN_FILENO) == 1)
      // The alternate screen is closed before an error is printed. An error printed on the
      // alternate screen would disappear.
      defer {
        screen.close()
        events.end()
      }
      try await watch(events, on: isLive ? screen : nil)
    }
  }

  private func watch(_ events: TopEvents, on screen: TerminalScreen?) async throws {
    var rates = TopRates()
    var (findings, observed): ([Finding], Int) = ([], 0)
    for await event in events.stream {
      var lost: String?
      switch event {
      case .observed(let observation, let gauges):
        rates.add(observation)
        findings = (observation.findings(by: thresholds) + gauges.findings).sorted
        observed += 1
      case .lost(let message):
        lost = message
        if screen == nil { Console.complain("waiting for the server: \(message)\n") }
      case .failed(let error): throw error
      case .resized: break
      case .stopped: return
      }
      if let observation = rates.newest {
        let page = TopPage(
          observation: observation, rates: rates, findings: findings, lost: lost)
        if let screen {
          screen.open()
          screen.draw(page.lines, TerminalScreen.size)
        } else if case .observed = event {
          Console.write(page.line)
          Console.flush()
        }
      }
      if let count, observed >= count { return }
    }
  }
}
