public import BatonPostgres
import Synchronization

/// One connection on which any number of observers follow changes, of any number of feeds.
///
/// The hub opens the connection for the first observer, opens it again if it is lost, and closes it after the last
/// observer has gone. Publishers wake the hub; changes without a wake-up are found by polling. It can be used from
/// any thread. docs/internals/live.md describes states, locks and interleavings.
public final class LiveHub: Sendable {
  private struct State {
    /// The channels with observers; some may have lost their last one.
    var channels: [ObjectIdentifier: any ObservedChannel] = [:]
    var isRunning = false
    /// Whether the connection is closed immediately when there are no observers.
    var isClosing = false
  }

  let options: LiveOptions
  private let configuration: ConnectionConfiguration
  private let schema: Schema
  private let state = Mutex(State())
  private let pause = Pause()

  /// Creates a hub; no connection is opened before there is an observer.
  public init(
    _ configuration: ConnectionConfiguration, in schema: Schema,
    options: LiveOptions = LiveOptions()
  ) {
    self.configuration = configuration
    self.schema = schema
    self.options = options
  }

  /// Creates the channel for a feed's observers; create it once and keep it.
  public func channel<Feed: LiveFeed>(for feed: Feed) -> LiveChannel<Feed> {
    LiveChannel(feed, of: self)
  }

  /// Closes the connection immediately if there are no observers, instead of after ``LiveOptions/linger``.
  public func close() {
    state.withLock { $0.isClosing = $0.isRunning }
    pause.end()
  }

  /// Ends the pause, because the last observer of a channel has gone.
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

  // MARK: The loop

  /// Polls while there are observers, and a little longer.
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
        // The connection is lost, so the snapshots of all observers may be old. Each gets `late` once, and then a new
        // one.
        for channel in channels { channel.beLate() }
        await link.drop()
        try? await Task.sleep(for: round.reconnecting())
      }
    }
  }

  /// Waits while the connection is kept for a new observer; then closes it, unless one came.
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
    // Changes that were committed before publishers could wake the hub have no wake-up, so they must be searched for.
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
  /// First it waits for a time that nothing shortens, so that under load publishers get part of the server's time.
  /// Then it waits for a wake-up, a new observer or the time of the next poll.
  private func rest(_ round: inout Round, _ link: HubLink) async {
    let spent = round.began.duration(to: .now)
    let earliest = max(round.began + options.leastPause, .now + min(spent / 2, .milliseconds(5)))
    try? await Task.sleep(until: earliest, clock: .continuous)
    guard let connection = link.connection else { return }
    let end = max(earliest, round.nextPoll)
    // A broken connection ends the pause; the next poll reports it.
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

/// What the loop keeps from one poll to the next.
private struct Round {
  var began = ContinuousClock.now
  var nextPoll = ContinuousClock.now
  var wakeUps = WakeUps()
  var away = ReconnectPause()

  /// The pause before the next attempt to connect, after which everything is polled.
  mutating func reconnecting() -> Duration {
    nextPoll = .now
    wakeUps = WakeUps()
    return away.next()
  }
}

/// A channel, as the hub uses it.
protocol ObservedChannel: AnyObject, Sendable {
  var name: String { get }
  /// Whether there are no observers.
  var isEmpty: Bool { get }
  /// Whether any observer has not received a snapshot yet.
  var hasNewcomers: Bool { get }

  /// Sends observers what they have not received of these topics.
  ///
  /// Ends the streams of viewers who may not see their topic, or whose topic cannot be read.
  ///
  /// - Throws: only if the connection is lost.
  func poll(at scope: WakeUps.Scope, on connection: HubConnection) async throws

  /// Notifies all observers that snapshots may be late; the next poll sends them everything again.
  func beLate()

  /// Ends all streams with an error.
  func end(with error: PostgresError)
}
