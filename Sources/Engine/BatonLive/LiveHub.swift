public import BatonPostgres
import Synchronization

/// A connection on which observers follow changes to the topics of several feeds.
///
/// The hub opens the connection for the first observer and closes it after the last observer has
/// left. After a connection loss, the hub reconnects. Publishers wake the hub. By polling, the hub
/// also finds changes that did not cause a wake-up. A hub can be used from any thread.
/// docs/internals/live.md describes states, locks and interleavings.
public final class LiveHub: Sendable {
  private struct State {
    /// The channels that have observers.
    ///
    /// Some of the channels may have just lost their last observer.
    var channels: [ObjectIdentifier: any ObservedChannel] = [:]
    var isRunning = false
    /// Whether the connection is closed immediately when no observers remain.
    var isClosing = false
  }

  let options: LiveOptions
  private let configuration: ConnectionConfiguration
  private let schema: Schema
  private let state = Mutex(State())
  private let pause = Pause()

  /// Creates a hub.
  ///
  /// The hub opens its connection for the first observer.
  public init(
    _ configuration: ConnectionConfiguration, in schema: Schema,
    options: LiveOptions = LiveOptions()
  ) {
    var limited = configuration
    limited.statementTimeout = options.timeout
    limited.maximumResultSize = options.maximumResultSize
    self.configuration = limited
    self.schema = schema
    self.options = options
  }

  /// Creates the channel for a feed's observers.
  ///
  /// The caller must create the channel only once, and store it.
  public func channel<Feed: LiveFeed>(for feed: Feed) -> LiveChannel<Feed> {
    LiveChannel(feed, of: self)
  }

  /// Closes the connection immediately if no observers remain, instead of after
  /// ``LiveOptions/linger``.
  public func close() {
    state.withLock { $0.isClosing = $0.isRunning }
    pause.end()
  }

  /// Ends the pause between polls, because the last observer of a channel has left.
  func poll() { pause.end() }

  /// Adds a channel that has a new observer.
  func wake(_ channel: any ObservedChannel) {
    let mustBegin = state.withLock { state in
      state.channels[ObjectIdentifier(channel)] = channel
      state.isClosing = false
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard mustBegin else { return pause.end() }
    Task.detached { await self.run() }
  }

  // MARK: Poll loop

  /// Polls while observers exist, and for ``LiveOptions/linger`` after the last observer has left.
  private func run() async {
    var link = HubLink(configuration, in: schema, listens: options.listens)
    var round = Round()
    var emptySince: ContinuousClock.Instant?
    while true {
      let channels = observedChannels()
      if channels.isEmpty {
        let since = emptySince ?? .now
        emptySince = since
        if await mayEnd(&link, since: since) { return }
        continue
      }
      emptySince = nil
      do {
        try await poll(at: channels, &link, &round)
        await rest(&round, link)
      } catch {
        // After a connection loss, each observer gets `late` once, and then a new snapshot.
        for channel in channels { channel.beLate() }
        await link.drop()
        try? await Task.sleep(for: round.reconnecting())
      }
    }
  }

  /// Waits for a new observer until ``LiveOptions/linger`` has passed or ``close()`` is called.
  ///
  /// If no observer arrives in time, the method closes the connection.
  ///
  /// - Returns: true if the hub's loop must end, because no new observer has arrived.
  private func mayEnd(_ link: inout HubLink, since: ContinuousClock.Instant) async -> Bool {
    let end = since + options.linger
    guard state.withLock(\.isClosing) || .now >= end else {
      await pause.wait { try? await Task.sleep(until: end, clock: .continuous) }
      return false
    }
    await link.drop()
    return state.withLock { state in
      state.isRunning = !state.channels.isEmpty
      return !state.isRunning
    }
  }

  private func poll(
    at channels: [any ObservedChannel], _ link: inout HubLink, _ round: inout Round
  ) async throws {
    round.began = .now
    let connection: HubConnection
    do throws(PostgresError) {
      connection = try await link.open()
    } catch {
      if link.isRefused(by: error) { for channel in channels { channel.end(with: error) } }
      throw error
    }
    let (new, refused) = try await link.listen(to: Set(channels.map(\.name)), on: connection)
    // Changes made before a feed was registered did not cause a wake-up, so the hub checks all
    // topics of newly registered feeds.
    round.wakeUps.take(all: new)
    let isPoll = round.began >= round.nextPoll
    for channel in channels {
      if let error = refused[channel.name] {
        channel.end(with: error)
        continue
      }
      let woken = round.wakeUps.scope(of: channel.name)
      guard let scope = isPoll ? .all : woken ?? (channel.hasNewcomers ? .keys([]) : nil) else {
        continue
      }
      try await channel.poll(at: scope, on: connection)
    }
    link.prove()
    if isPoll {
      let poll = link.isWoken ? options.poll : min(options.poll, options.pollAlone)
      round.nextPoll = round.began + min(poll, options.check / 4)
    }
    round.wakeUps = WakeUps()
    round.away = ReconnectPause()
  }

  /// Waits for the next poll.
  ///
  /// After a short minimum pause, a wake-up or a new observer ends the wait.
  private func rest(_ round: inout Round, _ link: HubLink) async {
    let spent = round.began.duration(to: .now)
    let earliest = max(round.began + options.leastPause, .now + min(spent / 2, .milliseconds(5)))
    try? await Task.sleep(until: earliest, clock: .continuous)
    guard let connection = link.connection else { return }
    let end = max(earliest, round.nextPoll)
    // If the connection breaks during the wait, the next poll reports the error.
    let heard = await pause.wait { try? await connection.hear(until: end) }
    for payload in heard ?? [] { round.wakeUps.take(payload) }
  }

  private func observedChannels() -> [any ObservedChannel] {
    state.withLock { state in
      state.channels = state.channels.filter { !$0.value.isEmpty }
      return Array(state.channels.values)
    }
  }
}

/// The state of the loop between two polls.
private struct Round {
  var began = ContinuousClock.now
  var nextPoll = ContinuousClock.now
  var wakeUps = WakeUps()
  var away = ReconnectPause()

  /// Returns the pause before the next attempt to connect.
  ///
  /// After reconnecting, the hub polls all topics.
  mutating func reconnecting() -> Duration {
    nextPoll = .now
    wakeUps = WakeUps()
    return away.next()
  }
}

/// The interface through which the hub uses a channel.
protocol ObservedChannel: AnyObject, Sendable {
  var name: String { get }
  /// Whether the channel has no observers.
  var isEmpty: Bool { get }
  /// Whether at least one observer has not received a snapshot yet.
  var hasNewcomers: Bool { get }

  /// Sends each observer the topic changes that the observer has not received.
  ///
  /// The method ends the streams of viewers who cannot access the observed topic, or whose topic
  /// cannot be read.
  ///
  /// - Throws: an error only if the connection is lost or must be replaced.
  func poll(at scope: WakeUps.Scope, on connection: HubConnection) async throws

  /// Notifies all observers that snapshots may be late. The next poll sends a snapshot to every
  /// observer.
  func beLate()

  /// Ends all streams with an error.
  func end(with error: PostgresError)
}
