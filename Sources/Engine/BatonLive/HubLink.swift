import BatonPostgres
import RunnerSQL

/// The connection of a hub, together with the feeds whose publishers wake the hub.
struct HubLink {
  /// Whether the publishers of a feed wake the hub.
  private enum Hearing {
    /// The publishers wake the hub.
    case woken
    /// The publishers do not wake the hub, because registering the hub failed or was not possible.
    case tried
    /// The publishers do not wake the hub, because NOTIFY cannot be used on this server.
    ///
    /// The hub tries to register again at the given time.
    case off(until: ContinuousClock.Instant)
  }

  private let configuration: ConnectionConfiguration
  private let schema: Schema
  private let listens: Bool
  private var current: Session?
  /// Whether a poll on the connection has succeeded.
  private var isProven = false
  /// Whether the server has ever accepted this hub's login.
  private var wasLetIn = false
  private var hearing: [String: Hearing] = [:]

  init(_ configuration: ConnectionConfiguration, in schema: Schema, listens: Bool) {
    self.configuration = configuration
    self.schema = schema
    self.listens = listens
  }

  /// The open connection, or nil if no connection is open.
  var connection: Connection? { current?.connection }

  /// Whether the publishers of all feeds wake the hub.
  var isWoken: Bool {
    !hearing.isEmpty && hearing.values.allSatisfy { if case .woken = $0 { true } else { false } }
  }

  /// Returns the open connection, or opens a new connection.
  ///
  /// - Throws: an error if the connection cannot be opened, or if the open connection was lost.
  ///   After a connection loss, the caller must notify its observers before it opens a new
  ///   connection.
  mutating func open() async throws(PostgresError) -> HubConnection {
    if let current {
      guard current.connection.isBroken else {
        return HubConnection(session: current, isProven: isProven)
      }
      throw PostgresError(.connectionFailure, "the connection was lost")
    }
    let session = Session(try await Connection.open(configuration), in: schema)
    (current, isProven, wasLetIn) = (session, false, true)
    return HubConnection(session: session, isProven: false)
  }

  /// Records that a poll on the connection has succeeded.
  mutating func prove() { isProven = true }

  /// Returns whether the server permanently rejects the hub.
  ///
  /// A rejection after an accepted login may be temporary, for example while an operator changes
  /// the password.
  func isRefused(by error: PostgresError) -> Bool {
    !error.sqlState.isWaitedFor(wasLetIn: wasLetIn)
  }

  /// Closes the connection, which also releases the connection's locks.
  mutating func drop() async {
    let connection = current?.connection
    current = nil
    hearing = [:]
    await connection?.close()
  }

  /// Registers the hub for wake-ups from the publishers of exactly the given feeds.
  ///
  /// - Returns: the newly registered feeds, and the errors for the feeds that the server rejected.
  mutating func listen(
    to feeds: Set<String>, on connection: HubConnection
  ) async throws(PostgresError) -> (new: Set<String>, refused: [String: PostgresError]) {
    let session = connection.session
    guard listens, await session.connection.isDirect else {
      hearing = Dictionary(uniqueKeysWithValues: feeds.map { ($0, .tried) })
      return ([], [:])
    }
    if !feeds.isSuperset(of: hearing.keys) {
      try await session.atomically(.run(SQL.Live.stopObserving))
      hearing = [:]
    }
    var new: Set<String> = []
    var refused: [String: PostgresError] = [:]
    for feed in feeds where mayTry(feed) {
      let observe = Call<Bool?>.row(SQL.Live.observe, feed) { (row) throws(PostgresError) in
        try row.decode(Bool?.self)
      }
      do throws(PostgresError) {
        let isHeard: Bool? = try await session.atomically(observe)
        switch isHeard {
        case true?: new.insert(feed)
        case false?: hearing[feed] = .tried
        case nil: hearing[feed] = .off(until: .now + .seconds(10))
        }
      } catch {
        if try await connection.isPassing(error) {
          hearing[feed] = .tried
        } else {
          refused[feed] = error
        }
      }
    }
    for feed in new { hearing[feed] = .woken }
    return (new, refused)
  }

  private func mayTry(_ feed: String) -> Bool {
    switch hearing[feed] {
    case .woken: false
    case .off(let end): .now >= end
    case .tried, nil: true
    }
  }
}
