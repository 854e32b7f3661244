import Foundation

/// How far a long piece of work is: a bar on a terminal, a line for each tenth elsewhere.
///
/// It writes to stderr. Used by one command on one thread at a time.
package final class ProgressBar {
  private let unit: String
  private static let isTerminal = isatty(STDERR_FILENO) == 1
  private let began = ContinuousClock.now
  private var lastShown = ContinuousClock.now - .seconds(1)
  private var lastTenth = 0

  /// A bar that counts things of this name.
  package init(of unit: String) { self.unit = unit }

  /// Shows how far it is, at most every tenth of a second.
  package func show(_ done: Int, of all: Int) {
    let isEnd = done == all
    if Self.isTerminal {
      guard isEnd || lastShown.duration(to: .now) > .milliseconds(100) else { return }
      lastShown = .now
      let filled = all == 0 ? 30 : done * 30 / all
      let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: 30 - filled)
      Console.complain("\r[\(bar)] \(done)/\(all) \(unit), \(remaining(done, all)) left ")
    } else {
      let tenth = all == 0 ? 10 : done * 10 / all
      guard tenth > lastTenth else { return }
      lastTenth = tenth
      Console.complain("\(done)/\(all) \(unit)\n")
    }
  }

  /// Ends the line.
  package func end() { Self.clear() }

  /// Takes the bar off a terminal, whoever drew it.
  package static func clear() {
    if isTerminal { Console.complain("\r\u{1B}[K") }
  }

  private func remaining(_ done: Int, _ all: Int) -> String {
    guard done > 0 else { return "?" }
    let elapsed = began.duration(to: .now) / .seconds(1)
    return "\(Int(elapsed * Double(all - done) / Double(done))) s"
  }
}
