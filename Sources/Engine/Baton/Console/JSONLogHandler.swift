import Foundation
import Logging

/// A log handler that writes each log event as one JSON object.
///
/// The object has the fields `time` (RFC 3339, UTC), `level`, `logger`, `source` and `message`.
/// Each metadata value becomes a field that is named after the value's key.
struct JSONLogHandler: LogHandler {
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
    var values = metadata.merging(event.metadata ?? [:]) { $1 }.mapValues(JSONLogValue.init)
    if let error = event.error { values["error"] = .text("\(error)") }
    // The fields below are set last, so that metadata cannot replace them.
    values["time"] = .text(Self.now)
    values["level"] = .text("\(event.level)")
    values["logger"] = .text(label)
    values["source"] = .text(event.source)
    values["message"] = .text("\(event.message)")
    write(Self.line(values))
  }

  /// The current time in UTC, in RFC 3339 format, to the millisecond.
  static var now: String {
    Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  /// Returns a JSON object as one line.
  static func line(_ values: [String: JSONLogValue]) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // The encoding cannot fail, because the values are only strings, numbers, lists and objects.
    return String(decoding: (try? encoder.encode(values)) ?? Data(), as: UTF8.self).printableJSON
      + "\n"
  }
}

/// A metadata value of a log event, as JSON.
enum JSONLogValue: Encodable {
  case text(String)
  case number(Int64)
  case list([JSONLogValue])
  case object([String: JSONLogValue])

  /// Converts a metadata value, and preserves whole numbers as numbers.
  init(_ value: Logger.Metadata.Value) {
    switch value {
    case .string(let text): self = .text(text)
    case .stringConvertible(let value as any FixedWidthInteger & Sendable):
      self = Int64(exactly: value).map { .number($0) } ?? .text("\(value)")
    case .stringConvertible(let value): self = .text(value.description)
    case .array(let values): self = .list(values.map(Self.init))
    case .dictionary(let values): self = .object(values.mapValues(Self.init))
    @unknown default: self = .text("\(value)")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text.shortened(to: String.longestLogged))
    case .number(let number): try container.encode(number)
    case .list(let values): try container.encode(values)
    case .object(let values): try container.encode(values)
    }
  }
}
