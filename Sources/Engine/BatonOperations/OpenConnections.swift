#if HTTP
  import NIOCore
  import Synchronization

  /// A server's open connections.
  ///
  /// If there are too many connections, the oldest connections are closed.
  ///
  /// If there were no limit, clients that never finish their request or never read the response
  /// could occupy all connections. If all connections were occupied, a health check would fail
  /// although the process is healthy. Connections for health checks are not counted. Event streams
  /// have a separate limit.
  final class OpenConnections: Sendable {
    /// The maximum number of connections whose request is not complete yet.
    static let mostWaiting = 64
    /// The maximum number of connections whose request is being processed.
    static let mostAnswered = 64

    private struct State {
      var waiting = Connections()
      var answered = Connections()
      var last = 0
    }

    private let state = Mutex(State())

    /// Adds a connection on which no request has arrived yet, and returns a number that identifies
    /// the connection.
    func open(_ channel: any Channel) -> Int {
      let (number, oldest) = state.withLock { state in
        state.last += 1
        return (state.last, state.waiting.add(channel, state.last, most: Self.mostWaiting))
      }
      oldest?.close(promise: nil)
      return number
    }

    /// Records that a connection's request has arrived.
    func begin(_ number: Int, isCounted: Bool) {
      let oldest = state.withLock { state -> (any Channel)? in
        guard let channel = state.waiting.remove(number), isCounted else { return nil }
        return state.answered.add(channel, number, most: Self.mostAnswered)
      }
      oldest?.close(promise: nil)
    }

    /// Removes a connection that has closed or now carries an event stream.
    func end(_ number: Int) {
      state.withLock { state in
        _ = state.waiting.remove(number) ?? state.answered.remove(number)
      }
    }
  }

  /// A list of connections, in the order in which they were added.
  private struct Connections {
    private var channels: [Int: any Channel] = [:]
    /// The numbers of the connections, oldest connection first.
    ///
    /// The list can also contain the numbers of connections that have been removed. If there are
    /// too many connections, `add` deletes the numbers of removed connections from the start of the
    /// list.
    private var order: [Int] = []

    /// Adds a connection.
    ///
    /// If there are more than `most` connections, the method removes and returns the oldest
    /// connection.
    mutating func add(_ channel: any Channel, _ number: Int, most: Int) -> (any Channel)? {
      channels[number] = channel
      order.append(number)
      guard channels.count > most else { return nil }
      while !order.isEmpty {
        if let oldest = channels.removeValue(forKey: order.removeFirst()) { return oldest }
      }
      return nil
    }

    mutating func remove(_ number: Int) -> (any Channel)? {
      defer { if channels.isEmpty { order.removeAll() } }
      return channels.removeValue(forKey: number)
    }
  }
#endif
