/// An event from a stream in the `text/event-stream` format.
public struct ServerEvent: Hashable, Sendable {
  /// The kind of the event, which is `message` if the stream does not name a kind.
  public let name: String
  /// The data, whose lines are separated by line feeds.
  public let data: String
  /// The id of the last event that had an id, or an empty string if no event had an id.
  public let id: String
}

/// Parses a stream in the `text/event-stream` format (server-sent events), as defined by the HTML
/// standard.
///
/// A stream's bytes can be passed in parts of any length:
///
/// ```swift
/// var parser = ServerEventParser()
/// let events = try parser.parse("id: 7\ndata: hello\n\n".utf8)
/// // events == [ServerEvent(name: "message", data: "hello", id: "7")]
/// ```
public struct ServerEventParser: Sendable {
  /// The error for an event that is longer than ``mostBytes``.
  public struct TooLong: Error, Hashable, Sendable {}

  /// The maximum number of bytes in an event: 4 MiB.
  public static let mostBytes = 4 << 20

  /// The id that a client sends in the `Last-Event-ID` header when it reconnects.
  public private(set) var lastEventId: String
  /// The time that a client waits before it reconnects, or nil if the stream does not contain a
  /// time.
  public private(set) var retry: Duration?

  private var line: [UInt8] = []
  private var data: [UInt8] = []
  private var hasData = false
  private var name = ""
  private var id: String
  /// Whether the last byte was a carriage return.
  ///
  /// A line feed after a carriage return does not end another line.
  private var endedWithReturn = false
  private var isFirstLine = true

  /// Creates a parser for a stream that begins after the event with the given id.
  public init(lastEventId: String = "") { (self.lastEventId, id) = (lastEventId, lastEventId) }

  /// Parses the stream's next bytes and returns the events that they complete.
  ///
  /// - Throws: ``TooLong`` if an event has more than ``mostBytes`` bytes.
  public mutating func parse(_ bytes: some Sequence<UInt8>) throws(TooLong) -> [ServerEvent] {
    var events: [ServerEvent] = []
    for byte in bytes {
      let isSecondOfPair = endedWithReturn && byte == UInt8(ascii: "\n")
      endedWithReturn = byte == UInt8(ascii: "\r")
      guard !isSecondOfPair else { continue }
      if byte == UInt8(ascii: "\n") || endedWithReturn {
        if let event = endLine() { events.append(event) }
      } else {
        guard line.count + data.count < Self.mostBytes else { throw TooLong() }
        line.append(byte)
      }
    }
    return events
  }

  /// Interprets a complete line, and returns an event if it is the empty line that ends the event.
  private mutating func endLine() -> ServerEvent? {
    var bytes = line[...]
    line = []
    // A byte order mark at the beginning of the stream is not part of the first line.
    if isFirstLine, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    isFirstLine = false
    guard !bytes.isEmpty else { return endEvent() }
    let name = bytes.prefix { $0 != UInt8(ascii: ":") }
    // A line that begins with a colon is a comment, such as a heartbeat.
    guard !name.isEmpty else { return nil }
    var value = bytes.dropFirst(name.count + 1)
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    read(String(decoding: name, as: UTF8.self), value)
    return nil
  }

  private mutating func read(_ field: String, _ value: ArraySlice<UInt8>) {
    switch field {
    case "event": name = String(decoding: value, as: UTF8.self)
    case "data":
      if hasData { data.append(UInt8(ascii: "\n")) }
      data += value
      hasData = true
    case "id" where !value.contains(0): id = String(decoding: value, as: UTF8.self)
    case "retry":
      let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
      guard !value.isEmpty, value.count <= 9, value.allSatisfy(digits.contains) else { return }
      retry = Int64(String(decoding: value, as: UTF8.self)).map { .milliseconds($0) }
    default: break
    }
  }

  private mutating func endEvent() -> ServerEvent? {
    lastEventId = id
    defer { (name, data, hasData) = ("", [], false) }
    guard hasData else { return nil }
    return ServerEvent(
      name: name.isEmpty ? "message" : name, data: String(decoding: data, as: UTF8.self), id: id)
  }
}
