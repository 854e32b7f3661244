import Foundation
import Logging

/// A log handler that writes each log event as one line of text.
///
/// ```
/// 2026-01-05T10:00:00+0000 warning orders: job=send-mail key="order 7" [JobRunner] cannot claim
/// ```
/// Values in the log are escaped, quoted and shortened, so no value can begin a new line or a new
/// field. A value longer than 16 KiB is shortened before it is escaped.
struct TextLogHandler: LogHandler {
  private let label: String
  private let write: @Sendable (String) -> Void
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info

  /// Creates a handler for a logger with the given label.
  ///
  /// - Parameter write: writes a complete line in one call, so that lines from several threads are
  ///   not mixed.
  init(label: String, write: @escaping @Sendable (String) -> Void = { Console.complain($0) }) {
    self.label = label
    self.write = write
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var values = metadata.merging(event.metadata ?? [:]) { $1 }
    if let error = event.error { values["error"] = .string("\(error)") }
    let shown = values.sorted { $0.key < $1.key }
      .map { " \($0.key.loggedField)=\("\($0.value)".loggedField)" }.joined()
    write(
      "\(Self.now) \(event.level) \(label):\(shown) [\(event.source)] "
        + "\("\(event.message)".logged)\n")
  }

  /// The local time with the UTC offset, without fractions of a second.
  private static var now: String {
    var seconds = time(nil)
    var parts = tm()
    var text = [CChar](repeating: 0, count: 64)
    localtime_r(&seconds, &parts)
    let size = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S%z", &parts)
    return String(decoding: text.prefix(size).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
