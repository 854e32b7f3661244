/// What both sides of a connection say, cut into the messages of PostgreSQL's protocol.
///
/// It knows as much of the protocol as tells where a statement begins and where its answer is
/// complete, and which statement that is.
struct Conversation {
  /// A piece of what one side sent, and what it is the occasion for.
  struct Piece {
    var bytes: [UInt8]
    /// The statement that a client asks to be executed, or whose round trip a server has answered.
    var statement: String?
  }

  private var client = Pieces()
  private var server = Pieces()
  /// The statement that the next Execute is for.
  private var bound = ""
  /// The last statement of the round trip that the server is at work on.
  private var executed = "connect"
  /// The last one that is not of every transaction: what a COMMIT is the end of.
  private var lastNamed = ""
  /// Whether this round trip folds: the look behind it, in the same transaction, is not what it is for.
  private var isFold = false
  /// Answers of one byte that a client waits for: whether the server would encrypt.
  private var bytesToCome = 0
  private var isStarted = false

  /// The complete messages of a client up to here.
  mutating func said(byClient bytes: [UInt8]) -> [Piece] {
    client.append(bytes)
    var pieces: [Piece] = []
    while let message = client.next(hasType: isStarted) {
      pieces.append(Piece(bytes: message, statement: heard(fromClient: message)))
    }
    return pieces
  }

  /// The complete messages of a server up to here.
  mutating func said(byServer bytes: [UInt8]) -> [Piece] {
    server.append(bytes)
    var pieces: [Piece] = []
    while true {
      if bytesToCome > 0, let byte = server.nextByte() {
        bytesToCome -= 1
        pieces.append(Piece(bytes: [byte]))
      } else if let message = server.next(hasType: true) {
        // ReadyForQuery: all of the round trip is answered.
        let isReady = message.first == UInt8(ascii: "Z")
        pieces.append(Piece(bytes: message, statement: isReady ? executed : nil))
      } else {
        return pieces
      }
    }
  }

  private mutating func heard(fromClient message: [UInt8]) -> String? {
    guard isStarted else {
      // Asked whether it would encrypt (SSLRequest, GSSENCRequest), the server says one byte.
      let isQuestion = [80_877_103, 80_877_104].contains(Pieces.number(at: 4, in: message))
      if isQuestion { bytesToCome += 1 } else { isStarted = true }
      return isQuestion ? nil : "connect"
    }
    switch message.first {
    case UInt8(ascii: "B"): bound = Pieces.text(1, in: message.dropFirst(5))
    case UInt8(ascii: "E"):
      executed = bound == "commit" ? "commit after \(lastNamed)" : bound
      if bound == "queue/fold" { isFold = true }
      if bound.contains("/"), !isFold || bound != "queue/poll" { lastNamed = bound }
    case UInt8(ascii: "Q"): executed = "script"
    // Sync: the end of a round trip.
    case UInt8(ascii: "S"):
      isFold = false
      return nil
    default: return nil
    }
    return message.first == UInt8(ascii: "B") ? nil : executed
  }
}

/// Bytes of one direction that are not a whole message yet.
private struct Pieces {
  private var bytes: [UInt8] = []

  mutating func append(_ more: [UInt8]) { bytes += more }

  mutating func nextByte() -> UInt8? { bytes.isEmpty ? nil : bytes.removeFirst() }

  /// The next message; the first one of a client has no type.
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

  /// The n-th text of those that end with a zero byte.
  static func text(_ number: Int, in bytes: some Sequence<UInt8>) -> String {
    let texts = Array(bytes).split(
      separator: 0, maxSplits: number + 1, omittingEmptySubsequences: false)
    return String(decoding: texts[number], as: UTF8.self)
  }
}
