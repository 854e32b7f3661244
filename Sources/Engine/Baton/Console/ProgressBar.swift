import Foundation

/// The progress of a long command.
///
/// On a terminal, the progress is a bar. In a file or a pipe, the progress is one line for each
/// tenth of the work.
///
/// The bar is written to stderr. Only one thread at a time may use a progress bar.
package final class ProgressBar {
  private let unit: String
  private static let isTerminal = isatty(STDERR_FILENO) == 1
  private let began = ContinuousClock.now
  private var lastShown = ContinuousClock.now - .seconds(1)
  private var lastTenth = 0

  /// Creates a progress bar.
  ///
  /// The `unit` parameter is the name of the counted items.
  package init(of unit: String) { self.unit = unit }

  /// Draws the progress, at most ten times per second.
  package func show(_ done: Int, of all: Int) {
    let isEnd = done == all
    if Self.isTerminal {
      guard isEnd || lastShown.duration(to: .now) > .milliseconds(100) else { return }
      lastShown = .now
      let filled = all == 0 ? 30 : done * 30 / all
      let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: 30 - filled)
      Console.complainRaw("\r[\(bar)] \(done)/\(all) \(unit), \(remaining(done, all)) left ")
    } else {
      let tenth = all == 0 ? 10 : done * 10 / all
      guard tenth > lastTenth else { return }
      lastTenth = tenth
      Console.complain("\(done)/\(all) \(unit)\n")
    }
  }

  /// Removes the bar from the terminal.
  package func end() { Self.clear() }

  /// Removes any progress bar from the terminal.
  package static func clear() {
    if isTerminal { Console.complainRaw("\r\u{1B}[K") }
  }

  private func remaining(_ done: Int, _ all: Int) -> String {
    guard done > 0 else { return "?" }
    let elapsed = began.duration(to: .now) / .seconds(1)
    return "\(Int(elapsed * Double(all - done) / Double(done))) s"
  }
}
