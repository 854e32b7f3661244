package import Logging
import Synchronization

/// Collects the log lines of a worker.
package final class LogLines: Sendable {
  private let kept = Mutex<[String]>([])

  package init() {}

  package var all: [String] { kept.withLock { $0 } }
  package var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

  private struct Handler: LogHandler {
    let lines: LogLines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.notice

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.kept.withLock { $0.append("\(event.message)") } }
  }
}
