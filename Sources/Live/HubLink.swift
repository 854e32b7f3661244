import Postgres
import RunnerSQL

/// The connection of a hub, and which feeds' publishers wake it.
struct HubLink {
  /// What a feed's publishers know.
  private enum Hearing {
    /// That they are to wake us.
    case woken
    /// Nothing: one of them had the lock in that instant.
    case tried
    /// Nothing, and nobody may notify here; asked again then.
    case off(until: ContinuousClock.Instant)
  }

  private let configuration: ConnectionConfiguration
  private let schema: Schema
  private let listens: Bool
  private var current: Session?
  private var hearing: [String: Hearing] = [:]

  init(_ configuration: ConnectionConfiguration, in schema: Schema, listens: Bool) {
    self.configuration = configuration
    self.schema = schema
    self.listens = listens
  }

  /// The open one.
  var connection: Connection? { current?.connection }

  /// Whether publishers of all feeds wake us.
  var isWoken: Bool {
    !hearing.isEmpty && hearing.values.allSatisfy { if case .woken = $0 { true } else { false } }
  }

  /// The session, opened where there is none.
  ///
  /// - Throws: also where it has broken: whoever has observers tells them before it opens another.
  mutating func session() async throws(PostgresError) -> Session {
    if let current {
      guard await current.connection.isBroken else { return current }
      throw PostgresError(.connectionFailure, "the connection was lost")
    }
    let session = Session(try await Connection.open(configuration), in: schema)
    current = session
    return session
  }

  /// Closes it, and with it lets go of the locks.
  mutating func drop() async {
    let connection = current?.connection
    current = nil
    hearing = [:]
    await connection?.close()
  }

  /// Lets publishers of these feeds wake us, and of no others.
  ///
  /// - Returns: the feeds of which that is new.
  mutating func listen(
    to feeds: Set<String>, on session: Session
  ) async throws(PostgresError) -> Set<String> {
    guard listens, await session.connection.isDirect else {
      hearing = Dictionary(uniqueKeysWithValues: feeds.map { ($0, .tried) })
      return []
    }
    if !feeds.isSuperset(of: hearing.keys) {
      try await session.atomically(.run(SQL.Live.stopObserving))
      hearing = [:]
    }
    var new: Set<String> = []
    for feed in feeds where mayTry(feed) {
      let observe = Call<Bool?>.row(SQL.Live.observe, feed) { (row) throws(PostgresError) in
        try row.decode(Bool?.self)
      }
      let isHeard: Bool? = try await session.atomically(observe)
      switch isHeard {
      case true?: new.insert(feed)
      case false?: hearing[feed] = .tried
      case nil: hearing[feed] = .off(until: .now + .seconds(10))
      }
    }
    for feed in new { hearing[feed] = .woken }
    return new
  }

  private func mayTry(_ feed: String) -> Bool {
    switch hearing[feed] {
    case .woken: false
    case .off(let end): .now >= end
    case .tried, nil: true
    }
  }
}
