public import BatonPostgres
import Synchronization

/// One connection on which any number of observers, of any number of feeds, follow what changes.
///
/// It is opened for the first observer, opened again where it is lost, and closed when the last has gone. Publishers
/// wake it; what they do not say, it finds by polling. docs/internals/live.md has states, locks and interleavings.
public final class LiveHub: Sendable {
  private struct State {
    /// Those with observers, and some that have none any more.
    var channels: [ObjectIdentifier: any ObservedChannel] = [:]
    var isRunning = false
    /// Without observers the connection is not kept any longer.
    var isClosing = false
  }

  let options: LiveOptions
  private let configuration: ConnectionConfiguration
  private let schema: Schema
  private let state = Mutex(State())
  private let pause = Pause()

  /// A hub; nothing is opened before there is an observer.
  public init(
    _ configuration: ConnectionConfiguration, in schema: Schema,
    options: LiveOptions = LiveOptions()
  ) {
    self.configuration = configuration
    self.schema = schema
    self.options = options
  }

  /// Where observers of a feed are; to be made once and kept.
  public func channel<Feed: LiveFeed>(for feed: Feed) -> LiveChannel<Feed> {
    LiveChannel(feed, of: self)
  }

  /// Closes the connection at once where nobody observes, instead of a little later.
  public func close() {
    state.withLock { $0.isClosing = $0.isRunning }
    pause.end()
  }

  /// Ends the pause: the last observer of a channel has gone.
  func poll() { pause.end() }

  /// There is a new observer.
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

  /// Looks for as long as there are observers, and a little longer.
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
        // The connection is lost, so the snapshots of all observers may be old: each gets `late` once, and then a new one.
        for channel in channels { channel.beLate() }
        await link.drop()
        try? await Task.sleep(for: round.reconnecting())
      }
    }
  }

  /// Waits while the connection is kept for whoever comes back; then closes it, unless somebody came.
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
    // What was committed before the hub could be woken has to be looked for.
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

  /// Waits for the next look: first for as long as nobody may hurry it, so that under load publishers have a part
  /// of the time to themselves; then for a wake-up, a newcomer or the next poll.
  private func rest(_ round: inout Round, _ link: HubLink) async {
    let spent = round.began.duration(to: .now)
    let earliest = max(round.began + options.leastPause, .now + min(spent / 2, .milliseconds(5)))
    try? await Task.sleep(until: earliest, clock: .continuous)
    guard let connection = link.connection else { return }
    let end = max(earliest, round.nextPoll)
    // A connection that broke ends the pause; the next look says so.
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

/// What a loop remembers from one look to the next.
private struct Round {
  var began = ContinuousClock.now
  var nextPoll = ContinuousClock.now
  var wakeUps = WakeUps()
  var away = ReconnectPause()

  /// The server is away: the pause until the next try, which looks at everything.
  mutating func reconnecting() -> Duration {
    nextPoll = .now
    wakeUps = WakeUps()
    return away.next()
  }
}

/// A channel, as its hub sees it.
protocol ObservedChannel: AnyObject, Sendable {
  var name: String { get }
  /// Whether nobody observes.
  var isEmpty: Bool { get }
  /// Whether somebody was shown nothing yet.
  var hasNewcomers: Bool { get }

  /// Shows observers what they have not seen of these topics, and ends those who may not see it or whose topic cannot
  /// be read.
  ///
  /// - Throws: where the connection is lost, and for nothing else.
  func poll(at scope: WakeUps.Scope, on connection: HubConnection) async throws

  /// Says to all that snapshots may be late; the next look shows them everything again.
  func beLate()

  /// Ends all streams with an error.
  func end(with error: PostgresError)
}
