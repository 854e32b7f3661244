/// The bytes of both sides of a connection, split into messages of the PostgreSQL protocol.
///
/// The parser detects which statement a client starts, where the statement begins, and where the
/// response is complete.
struct Conversation {
  /// A part of the bytes that one side has sent, and the statement that the part starts or
  /// completes.
  struct Piece {
    var bytes: [UInt8]
    /// The statement that a client sends for execution, or the statement to which a server has
    /// responded.
    var statement: String?
  }

  private var client = Pieces()
  private var server = Pieces()
  /// The statement that the next Execute message executes.
  private var bound = ""
  /// The last statement of the round trip that the server is processing.
  private var executed = "connect"
  /// The last statement that is not part of every transaction.
  ///
  /// A COMMIT is attributed to this statement.
  private var lastNamed = ""
  /// Whether the current round trip dispatches events into runs.
  ///
  /// The claim that follows in the same transaction is not the purpose of the round trip.
  private var isFold = false
  /// The number of pending one-byte responses to requests for encryption.
  private var bytesToCome = 0
  private var isStarted = false

  /// Returns the messages that are complete after the given bytes of the client.
  mutating func said(byClient bytes: [UInt8]) -> [Piece] {
    client.append(bytes)
    var pieces: [Piece] = []
    while let message = client.next(hasType: isStarted) {
      pieces.append(Piece(bytes: message, statement: heard(fromClient: message)))
    }
    return pieces
  }

  /// Returns the messages that are complete after the given bytes of the server.
  mutating func said(byServer bytes: [UInt8]) -> [Piece] {
    server.append(bytes)
    var pieces: [Piece] = []
    while true {
      if bytesToCome > 0, let byte = server.nextByte() {
        bytesToCome -= 1
        pieces.append(Piece(bytes: [byte]))
      } else if let message = server.next(hasType: true) {
        // The message ReadyForQuery completes the response to a round trip.
        let isReady = message.first == UInt8(ascii: "Z")
        pieces.append(Piece(bytes: message, statement: isReady ? executed : nil))
      } else {
        return pieces
      }
    }
  }

  private mutating func heard(fromClient message: [UInt8]) -> String? {
    guard isStarted else {
      // The server responds to SSLRequest and to GSSENCRequest with one byte.
      let isQuestion = [80_877_103, 80_877_104].contains(Pieces.number(at: 4, in: message))
      if isQuestion { bytesToCome += 1 } else { isStarted = true }
      return isQuestion ? nil : "connect"
    }
    switch message.first {
    case UInt8(ascii: "B"): bound = Pieces.text(1, in: message.dropFirst(5))
    case UInt8(ascii: "E"):
      executed = bound == "commit" ? "commit after \(lastNamed)" : bound
      if bound == "queue/fold" || bound == "queue/fold_backlog" { isFold = true }
      if bound.contains("/"), !isFold || bound != "queue/poll" { lastNamed = bound }
    case UInt8(ascii: "Q"): executed = "script"
    // The message Sync ends a round trip.
    case UInt8(ascii: "S"):
      isFold = false
      return nil
    default: return nil
    }
    return message.first == UInt8(ascii: "B") ? nil : executed
  }
}

/// The bytes of one direction that do not form a complete message yet.
private struct Pieces {
  private var bytes: [UInt8] = []

  mutating func append(_ more: [UInt8]) { bytes += more }

  mutating func nextByte() -> UInt8? { bytes.isEmpty ? nil : bytes.removeFirst() }

  /// Returns the next message, or nil if no message is complete.
  ///
  /// The first message of a client has no type.
  mutating func next(hasType: Bool) -> [UInt8]? {
    let head = hasType ? 1 : 0
    guard bytes.count >= head + 4 else { return nil }
    let length = head + Self.number(at: head, in: bytes)
    guard bytes.count >= length else { return nil }
    defer { bytes.removeFirst(length) }
    return Array(bytes.prefix(length))
  }

  static func number(at index: Int, in bytes: [UInt8]) -> Int {
    bytes.dropFirst(index).prefix(4).reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns the string with the given index in a sequence of strings that end with a zero byte.
  static func text(_ number: Int, in bytes: some Sequence<UInt8>) -> String {
    let texts = Array(bytes).split(
      separator: 0, maxSplits: number + 1, omittingEmptySubsequences: false)
    return String(decoding: texts[number], as: UTF8.self)
  }
}
