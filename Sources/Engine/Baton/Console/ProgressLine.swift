import BatonJobs
import Foundation
import Synchronization

/// The progress of a run on stderr.
///
/// On a terminal, one line is redrawn. In a file or a pipe, the progress consists of plain lines.
///
/// The progress is updated at most once per second.
final class ProgressLine: Sendable {
  private let job: String
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private let lastShown = Mutex(ContinuousClock.now)

  init(of job: String) { self.job = job }

  func show(_ report: Report) {
    let isTime = lastShown.withLock { last in
      guard last.duration(to: .now) >= .seconds(1) else { return false }
      last = .now
      return true
    }
    guard isTime else { return }
    let line = "\(job): \(report) so far".logged
    Console.complainRaw(isTerminal ? "\r\u{1B}[K\(line)" : line + "\n")
  }

  func end() {
    if isTerminal { Console.complainRaw("\r\u{1B}[K") }
  }
}
